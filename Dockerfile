# Podium for a few people, behind a proxy that speaks TLS and asks who they are; see the README.
#   docker build -t podium .
#   docker run --rm --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#     --memory 4g -p 127.0.0.1:8501:8501 podium
FROM python:3.12-slim

WORKDIR /podium
COPY requirements.lock .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY analysis analysis
COPY dashboard dashboard
COPY data data
COPY .streamlit .streamlit

# Inside the container all addresses are its own; the host decides who reaches its port. The name
# of the server keeps it from asking the network for one.
ENV STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true \
    STREAMLIT_BROWSER_SERVER_ADDRESS=localhost \
    PYTHONDONTWRITEBYTECODE=1

# Kernels are compiled once, here. A user who may write nowhere else takes them to /tmp.
RUN NUMBA_CACHE_DIR=/podium/kernels python -m analysis.kernels
ENV NUMBA_CACHE_DIR=/tmp/kernels

USER 10001
EXPOSE 8501
HEALTHCHECK CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://localhost:8501/_stcore/health', timeout=5)"]
CMD ["sh", "-c", "cp -r /podium/kernels /tmp/ && exec streamlit run dashboard/app.py"]
