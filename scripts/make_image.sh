#!/bin/sh
# Builds the image attnviz:cpu with docker, podman or buildah, whichever answers first; where no registry of images is
# reached, over a base made by debootstrap (as root).
#
#   IMAGE=attnviz:cpu      its name
#   TORCH_INDEX=…          torch from this index; with TORCH_INDEX= torch as published, with CUDA (never built by us)
#   IMAGE_OPTIONS=…        further options, such as --volume /srv/wheels:/srv/wheels:ro where pip.conf names that folder
set -eu
cd "$(dirname "$0")/.."
image=${IMAGE:-attnviz:cpu}
options="${TORCH_INDEX+--build-arg TORCH_INDEX=$TORCH_INDEX} ${IMAGE_OPTIONS:-}"
for engine in docker podman buildah none; do
    command -v $engine >/dev/null && $engine info >/dev/null 2>&1 && break
done
[ $engine != none ] || { echo "Install docker, podman or buildah (with crun and debootstrap)." >&2; exit 1; }
if [ $engine = buildah ]; then
    export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
fi
base=$(sed -n 's/^FROM \([^ ]*\) AS build/\1/p' Dockerfile | sed "s/\${PYTHON}/$(sed -n 's/^ARG PYTHON=//p' Dockerfile)/")
if ! $engine inspect --type image "$base" >/dev/null 2>&1 && ! $engine pull -q "$base" 2>/dev/null; then
    # No registry of images is reached: Debian's own Python of the same version, from the mirror of apt.
    root=$(mktemp -d)
    # What debootstrap mounts there is seen by nobody else, and gone with it.
    unshare --mount debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates bookworm "$root" >/dev/null
    rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/doc/* "$root"/usr/share/man/* \
        "$root"/usr/share/locale/*
    if [ $engine = buildah ]; then
        made=$(buildah from scratch)
        buildah copy -q "$made" "$root" / >/dev/null
        buildah commit -q --rm "$made" "$base" >/dev/null
    else
        tar -C "$root" -c . | $engine import - "$base" >/dev/null
    fi
    rm -rf --one-file-system "$root"
fi
if [ $engine != docker ]; then
    for file in "${PIP_CONFIG_FILE:-}" "$HOME/.config/pip/pip.conf" /etc/pip.conf; do
        [ -f "$file" ] && options="$options --volume $file:/etc/pip.conf:ro" && break
    done
    options="--pull-never --format docker $options"  # the other format has no health check
fi
# shellcheck disable=SC2086
exec $engine build -t "$image" $options .
