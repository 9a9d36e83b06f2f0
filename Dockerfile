# AttnViz for a class or a company: the dashboard with its bundled models, on the CPU. `make image` builds it also without
# docker; docs/hosting.md has its size by layer.
#
#   docker build -t attnviz:cpu .
#   docker run --rm -p 8501:8501 --memory 3g --read-only --tmpfs /tmp attnviz:cpu
#
# With an NVIDIA GPU: docker build --build-arg TORCH_INDEX= -t attnviz:cuda .   (torch from PyPI brings the CUDA libraries)
#                     docker run --rm --gpus all -p 8501:8501 attnviz:cuda
# That variant was never built by us, and its packages are pinned in requirements.txt without hashes.
ARG PYTHON=3.11
FROM docker.io/library/python:${PYTHON}-slim AS build
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /source
RUN python3 -m venv /opt/attnviz
# The locked packages first: a change of the code does not fetch them again.
COPY requirements.txt requirements-dev.txt requirements.lock ./
COPY scripts/install.sh scripts/
RUN sh scripts/install.sh /opt/attnviz/bin/python locked ${TORCH_INDEX}
COPY . .
# The models lie with the environment, where they are found read-only; without the language model the image does, not
# without MiniLM.
RUN sh scripts/install.sh /opt/attnviz/bin/python package && \
    { sh scripts/install.sh /opt/attnviz/bin/python model /opt/attnviz/share || true; } && \
    test -d /opt/attnviz/share/attnviz/minilm-l6 && sh scripts/slim.sh /opt/attnviz

FROM docker.io/library/python:${PYTHON}-slim
RUN useradd --create-home --uid 10001 attnviz
COPY --from=build /opt/attnviz /opt/attnviz
USER attnviz
WORKDIR /home/attnviz
ENV PATH=/opt/attnviz/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HF_HUB_OFFLINE=1 \
    TOKENIZERS_PARALLELISM=false \
    ATTNVIZ_MODE=hosted
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=3s --start-period=120s CMD ["python3", "-c", \
  "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/readyz', timeout=2)"]
CMD ["attnviz", "app", "--port", "8501"]
