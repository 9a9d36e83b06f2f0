#!/bin/sh
# The one way AttnViz is installed: `make`, the Dockerfile and a test all run this file, so they cannot drift.
#
#   scripts/install.sh PYTHON requirements [TORCH_INDEX]   the pinned packages; torch from TORCH_INDEX, if given
#   scripts/install.sh PYTHON package [editable]           AttnViz itself, as a wheel or in place
#   scripts/install.sh PYTHON locked [TORCH_INDEX]         for the image: the same, each file by its hash
#   scripts/install.sh PYTHON model [FOLDER]               the files of two models, into FOLDER/attnviz or the user's cache
#   scripts/install.sh PYTHON dev                          what the tests need
#   scripts/install.sh PYTHON audit                        what `make lock` and `make audit` need
#
# PYTHON is the interpreter of the environment to install into. pip's own configuration (index, proxy, cache) applies.
set -eu
python=$1
step=$2
cd "$(dirname "$0")/.."
cpu_build=https://download.pytorch.org/whl/cpu

# Torch as published for Linux is built for an NVIDIA GPU: without one, and without a torch, where the other index answers.
takes_cpu_build() {
    [ "$(uname -sm)" = "Linux x86_64" ] && ! command -v nvidia-smi >/dev/null &&
        ! "$python" -c 'import importlib.metadata as m; m.version("torch")' 2>/dev/null &&
        "$python" -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=10)' $cpu_build/torch/ 2>/dev/null
}

case "$step" in
requirements)
    index=${3:-}
    if [ -z "$index" ] && takes_cpu_build; then
        echo "No NVIDIA GPU was found here: torch's CPU build is taken, without 2.2 GB of CUDA libraries (see README.md)."
        index=$cpu_build
    fi
    # With an extra index, 2.13.0+cpu outranks 2.13.0 and still satisfies the pin torch==2.13.0.
    "$python" -m pip install ${index:+--extra-index-url "$index"} -r requirements.txt
    ;;
locked)
    # Each file by its hash. requirements.lock is of the CPU build: torch with CUDA comes by the pins alone.
    if [ -z "${3:-}" ]; then
        "$python" -m pip install -r requirements.txt "$(grep '^prometheus_client==' requirements-dev.txt)"
    else
        "$python" -m pip install --require-hashes --no-deps --extra-index-url "$3" -r requirements.lock
    fi
    ;;
audit)
    "$python" -m pip install -r requirements-audit.txt
    ;;
package)
    # The dependencies and setuptools are pinned by the step before; nothing is resolved or fetched here.
    if [ "${3:-}" = editable ]; then
        "$python" -m pip install --no-deps --no-build-isolation -e .
    else
        "$python" -m pip install --no-deps --no-build-isolation .
    fi
    ;;
model)
    if [ -n "${3:-}" ]; then export XDG_CACHE_HOME="$3"; fi
    status=0
    for model in smollm2-135m minilm-l6; do "$python" -m attnviz.cli get $model || status=1; done
    exit $status
    ;;
dev)
    "$python" -m pip install -r requirements-dev.txt
    ;;
*)
    echo "scripts/install.sh: unknown step '$step'; use requirements, locked, package, model, dev or audit" >&2
    exit 2
    ;;
esac
