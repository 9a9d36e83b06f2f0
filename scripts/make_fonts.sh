#!/bin/sh
# How app/static/fonts was made; run it again only to take a newer Inter or JetBrains Mono. Needs npm, pip and tar.
#
# Inter (variable, from the npm package inter-ui) is cut to Latin, Greek, arrows and operators, its optical size fixed for
# text and its weights kept from 400 to 700. JetBrains Mono (from @fontsource/jetbrains-mono) is taken as it is.
set -eu
INTER=4.1.1
JETBRAINS=5.3.0
python=${PYTHON:-python3}
fonts=$(cd "$(dirname "$0")/../app/static/fonts" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

npm pack --silent "inter-ui@$INTER" "@fontsource/jetbrains-mono@$JETBRAINS"
mkdir inter mono
tar xzf "inter-ui-$INTER.tgz" -C inter --strip-components=1
tar xzf "fontsource-jetbrains-mono-$JETBRAINS.tgz" -C mono --strip-components=1
"$python" -m venv tools
tools/bin/pip install --quiet fonttools==4.68.0 brotli==1.2.1

# Letters; punctuation, super- and subscripts, currencies; letterlike, arrows, operators, shapes, check marks.
UNICODES="U+0020-007E,U+00A0-024F,U+02B0-02FF,U+0300-036F,U+0370-03FF,U+1E00-1EFF,\
U+2000-206F,U+2070-209F,U+20A0-20BF,U+2100-2189,U+2190-21FF,U+2200-22FF,U+2300-23FF,U+25A0-25FF,U+2713,U+2717,U+FFFD"
# What pages set with font-feature-settings (tnum, cv11, zero, case) and what text needs to be well set.
FEATURES="tnum,cv11,zero,case,kern,ccmp,locl,mark,mkmk,calt"

tools/bin/fonttools varLib.instancer inter/variable/InterVariable.woff2 wght=400:700 opsz=14 --output inter.ttf
tools/bin/pyftsubset inter.ttf --unicodes="$UNICODES" --layout-features="$FEATURES" --flavor=woff2 \
    --no-hinting --desubroutinize --output-file="$fonts/Inter.woff2"
cp inter/LICENSE.txt "$fonts/Inter-OFL.txt"
cp mono/files/jetbrains-mono-latin-400-normal.woff2 "$fonts/JetBrainsMono.woff2"
cp mono/LICENSE "$fonts/JetBrainsMono-OFL.txt"
ls -l "$fonts"
