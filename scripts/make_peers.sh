#!/bin/sh
# Makes .venv-peers: an environment of its own for the peers of `make peers`, which finds torch, transformers and
# AttnViz in .venv and installs there nothing. What a peer needs in another version lies in .venv-peers alone.
#
#   scripts/make_peers.sh PYTHON FOLDER      PYTHON is that of .venv
#
# A peer that cannot be installed is named in a sentence, and the others are measured.
set -u
cd "$(dirname "$0")/.."
python=$1
folder=$2

[ -x "$folder/bin/python" ] || "$python" -m venv "$folder" || exit 1
ours=$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
theirs=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
# A .pth line that is code: addsitedir also reads the .pth files of .venv, by which AttnViz is installed in place.
echo "import site; site.addsitedir('$ours')" >"$theirs/attnviz-venv.pth"

grep -v '^#' requirements-peers.txt | while read -r peer; do
    "$folder/bin/python" -m pip install --quiet "$peer" >"$folder/pip.log" 2>&1 ||
        echo "$peer cannot be installed here, so it is not measured: $(grep -i error "$folder/pip.log" | tail -n 1)"
done
