#!/bin/sh
# Makes sure of what the tests need from the system: Chromium, Node, HAProxy and a Chinese font. Installs what is missing
# where it may (root, with apt-get); else it names the command, and the tests that need a tool are skipped and listed.
# With TEST_ALL=1, as in .ci/run, it fails instead.
set -eu
missing=""
chromium=chromium

has_chromium() {
    [ -n "${CHROMIUM:-}" ] && command -v "$CHROMIUM" >/dev/null && return
    for name in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null && return
    done
    return 1
}
has_font() {
    command -v fc-list >/dev/null && [ -n "$(fc-list :lang=zh-cn family)" ] && [ -n "$(fc-list :lang=zh-tw family)" ]
}
has_node() {  # node --test with a TAP reporter came with 18.15
    command -v node >/dev/null && node -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        process.exit(major > 18 || (major === 18 && minor >= 15) ? 0 : 1);'
}
look() {
    missing=""
    has_chromium || missing="$missing $chromium"
    has_font || missing="$missing fontconfig fonts-noto-cjk"
    has_node || missing="$missing nodejs"
    command -v haproxy >/dev/null || missing="$missing haproxy"
}

look
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "The tests need:$missing. Installing."
    apt-get update -q </dev/null
    # Where the system has it, the one without windows too: it takes a fifth less of the processor.
    apt-cache show chromium-headless-shell >/dev/null 2>&1 && chromium="chromium chromium-headless-shell"
    look
    # shellcheck disable=SC2086  # one word a package
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing </dev/null
    look
    [ -z "$missing" ] && exit 0
fi
{
    echo "Not all tests can run. They need:$missing."
    if command -v apt-get >/dev/null; then
        echo "Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing"
    elif command -v brew >/dev/null; then
        echo "Run: brew install node fontconfig haproxy && brew install --cask chromium font-noto-sans-cjk"
        echo "Where Chromium is not on the PATH, name it: make test CHROMIUM=/path/to/chromium"
    else
        echo "Install Chromium, Node 18.15 or newer, HAProxy, fontconfig and a Chinese font, then run make test again."
        echo "Where Chromium is not on the PATH, name it: make test CHROMIUM=/path/to/chromium"
    fi
} >&2
[ -z "${TEST_ALL:-}" ]
