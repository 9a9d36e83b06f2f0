#!/bin/sh
# Builds the image attnviz:cpu with docker or podman; where neither answers, with buildah over a base made by debootstrap.
#
#   IMAGE=attnviz:cpu      its name
#   TORCH_INDEX=…          torch from this index; with TORCH_INDEX= torch as published, with CUDA (never built by us)
#   IMAGE_OPTIONS=…        further options, such as --volume /srv/wheels:/srv/wheels:ro where pip.conf names that folder
set -eu
cd "$(dirname "$0")/.."
image=${IMAGE:-attnviz:cpu}
options="${TORCH_INDEX+--build-arg TORCH_INDEX=$TORCH_INDEX} ${IMAGE_OPTIONS:-}"
for engine in docker podman; do
    if command -v $engine >/dev/null && $engine info >/dev/null 2>&1; then
        # shellcheck disable=SC2086
        exec $engine build -t "$image" $options .
    fi
done
command -v buildah >/dev/null || { echo "Install docker, podman or buildah (with crun and debootstrap)." >&2; exit 1; }
export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
base=$(sed -n 's/^FROM \([^ ]*\) AS build/\1/p' Dockerfile | sed "s/\${PYTHON}/$(sed -n 's/^ARG PYTHON=//p' Dockerfile)/")
if ! buildah inspect --type image "$base" >/dev/null 2>&1 && ! buildah pull -q "$base" 2>/dev/null; then
    # No registry of images is reached: Debian's own Python of the same version, from the mirror of apt.
    root=$(mktemp -d)
    debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" >/dev/null
    rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/doc/* "$root"/usr/share/man/* \
        "$root"/usr/share/locale/*
    made=$(buildah from scratch)
    buildah copy -q "$made" "$root" / >/dev/null
    buildah commit -q --rm "$made" "$base" >/dev/null
    rm -rf "$root"
fi
for file in "${PIP_CONFIG_FILE:-}" "$HOME/.config/pip/pip.conf" /etc/pip.conf; do
    [ -f "$file" ] && options="$options --volume $file:/etc/pip.conf:ro" && break
done
# shellcheck disable=SC2086
exec buildah bud --pull-never -t "$image" $options .
