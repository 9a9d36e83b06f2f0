#!/bin/sh
# Takes out of the image's environment what no page of the dashboard reads, and compiles what it imports.
#
#   scripts/slim.sh ENVIRONMENT
#
# Tests, C headers and build tools of other packages; pip; notebook parts; languages of Babel that are not ours. Python
# files are compiled only as the dashboard imports them: of transformers' 400 models that is a handful.
set -eu
python=$1/bin/python
cd "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
find . -type d \( -name tests -o -path ./torch/test \) -prune -exec rm -rf {} +
rm -rf torch/include torch/share torch/lib/libtorchbind_test.so pyarrow/include pyarrow/src pydeck/nbextension
rm -f pyarrow/libarrow_flight.so* pyarrow/libarrow_python_flight.so* pyarrow/_flight.*.so pyarrow/libarrow_substrait.so* \
    pyarrow/_substrait.*.so
find torch/bin -type f ! -name torch_shm_manager -delete
find babel/locale-data -type f ! -name 'root.dat' ! -name 'en*.dat' ! -name 'zh*.dat' -delete
rm -rf pip pip-*.dist-info "$1"/bin/pip*
find . -name __pycache__ -type d -prune -exec rm -rf {} +
cd /
HF_HUB_OFFLINE=1 ATTNVIZ_MODE=hosted "$python" - <<'END'
from pathlib import Path

import attnviz_app
import attnviz_app.main  # noqa: F401 - the routes
from streamlit.testing.v1 import AppTest

page = AppTest.from_file(str(Path(attnviz_app.__path__[0], "dashboard.py")), default_timeout=300).run()
assert not page.exception and page.get("bidi_component"), "the page drew no picture"
END
