# AttnViz for a class or a company: the dashboard with its bundled model, on the CPU.
#
#   docker build -t attnviz .
#   docker run --rm -p 8501:8501 --memory 3g attnviz
#
# With an NVIDIA GPU: docker build --build-arg TORCH_INDEX= -t attnviz:cuda .   (torch from PyPI brings the CUDA libraries)
#                     docker run --rm --gpus all -p 8501:8501 attnviz:cuda
ARG PYTHON=3.11
FROM python:${PYTHON}-slim AS build
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /source
RUN python -m venv /opt/attnviz
# The pinned packages (the model among them) first: a change of the code does not fetch them again.
COPY requirements.txt ./
COPY scripts/install.sh scripts/
RUN sh scripts/install.sh /opt/attnviz/bin/python requirements ${TORCH_INDEX}
COPY . .
RUN sh scripts/install.sh /opt/attnviz/bin/python package

FROM python:${PYTHON}-slim
COPY --from=build /opt/attnviz /opt/attnviz
RUN useradd --create-home --uid 10001 attnviz
USER attnviz
WORKDIR /home/attnviz
ENV PATH=/opt/attnviz/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HF_HUB_OFFLINE=1 \
    TOKENIZERS_PARALLELISM=false \
    ATTNVIZ_MODE=hosted
EXPOSE 8501
# With a base path, set HEALTH_PATH to /<base>/_stcore/health.
ENV HEALTH_PATH=/_stcore/health
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s CMD ["python", "-c", \
  "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:8501' + os.environ['HEALTH_PATH'], timeout=2)"]
CMD ["attnviz", "app", "--port", "8501"]
