#!/bin/sh
# Starts the image as its unprivileged user on a read-only file system with 3 GB of memory, opens three pages in Chromium,
# kills it in the middle of a run, starts it again and opens them once more. Prints sizes and times for docs/hosting.md.
#
#   scripts/test_image.sh PYTHON      PYTHON has Playwright
#
# Without docker and podman the image's files, unpacked by buildah, are the root of a process of that user: read-only but
# for /tmp, and its data (RLIMIT_DATA) is bounded by 3 GB, as there is no engine to make a group for it.
set -eu
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
image=${IMAGE:-attnviz:cpu}
port=${PORT:-8599}
for engine in docker podman none; do
    command -v "$engine" >/dev/null && "$engine" info >/dev/null 2>&1 && break
done
if [ "$engine" = none ]; then
    command -v buildah >/dev/null || { echo "Install docker, podman or buildah, and run make image first." >&2; exit 1; }
    export STORAGE_DRIVER="${STORAGE_DRIVER:-vfs}" BUILDAH_ISOLATION="${BUILDAH_ISOLATION:-chroot}"
    made=$(buildah from --pull-never "$image")
    root=$(buildah mount "$made")
    start() {
        # shellcheck disable=SC2016
        unshare --mount --pid --fork --kill-child sh -c '
            set -e
            root=$1 port=$2
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount -t tmpfs -o size=256m tmpfs "$root/tmp"
            mkdir -p "$root/dev"
            mount --bind /dev "$root/dev"
            mount -o remount,bind,ro "$root"
            ulimit -d $((3 * 1024 * 1024))
            exec chroot --userspec=10001:10001 "$root" /usr/bin/env -i HOME=/home/attnviz PATH=/opt/attnviz/bin:/usr/bin:/bin \
                PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1 TOKENIZERS_PARALLELISM=false ATTNVIZ_MODE=hosted \
                attnviz app --port "$port"' start "$root" "$port" >"$log" 2>&1 &
        started=$!
    }
    kill_it() { kill -KILL "$(pgrep -P "$started")"; wait "$started" 2>/dev/null || true; }  # the first of its namespace
    memory() { awk '/VmRSS/ {print $2 * 1024}' "/proc/$(pgrep -P "$started" | head -1)/status"; }
    said() { cat "$log"; }
    leave() { kill_it; buildah rm "$made" >/dev/null; rm -f "$log"; }
    buildah images --format '{{.Name}}:{{.Tag}} {{.Size}}' | grep "${image##*/}" || true
else
    start() {
        started=$("$engine" run -d --rm --read-only --tmpfs /tmp --memory 3g -p "127.0.0.1:$port:8501" "$image")
    }
    kill_it() { "$engine" kill "$started" >/dev/null; }
    memory() { "$engine" stats --no-stream --format '{{.MemUsage}}' "$started"; }
    said() { "$engine" logs "$started" 2>&1; }
    leave() { kill_it; rm -f "$log"; }
    "$engine" history --format '{{.Size}} {{.CreatedBy}}' "$image"
fi
log=$(mktemp)
start
trap leave EXIT
for turn in first again; do
    "$python" tests/browser/look_at_image.py "http://127.0.0.1:$port" || { said | tail -20 >&2; exit 1; }
    echo "memory: $(memory)"
    if [ $turn = first ]; then
        first=$(mktemp -u)
        "$python" tests/browser/look_at_image.py "http://127.0.0.1:$port" "$first" &
        asked=$!
        until [ -e "$first" ]; do kill -0 $asked; sleep 0.1; done
        kill_it
        wait $asked
        rm -f "$first"
        start
    fi
done
echo "errors in the log: $(said | grep -c '"level": "ERROR"')"
