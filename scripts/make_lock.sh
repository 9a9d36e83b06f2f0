#!/bin/sh
# Writes requirements.lock: scripts/make_lock.sh PIP-COMPILE [TORCH_INDEX]. No address of an index is written into it.
set -eu
cd "$(dirname "$0")/.."
wanted=$(mktemp)
{ cat requirements.txt; grep '^prometheus_client==' requirements-dev.txt; } > "$wanted"
"$1" --quiet --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate --no-emit-index-url \
    --no-emit-find-links --no-emit-trusted-host ${2:+--extra-index-url "$2"} -o - "$wanted" | grep -v '^ *#' > "$wanted.lock"
{
    echo "# The packages of the image, each file by its hash; made by \`make lock\` of requirements.txt and attnviz[metrics]."
    echo "# torch is the CPU build for Linux on x86-64."
    cat "$wanted.lock"
} > requirements.lock
rm "$wanted" "$wanted.lock"
