# One image for the three programs: MARQUEE_ROLES says which of them a container runs; without it all three, on files in /data.
#   docker build -t marquee . && docker run -p 8420:8420 -v marquee:/data -v /my/films:/films:ro marquee
# The Node of package.json, on the Debian whose ffmpeg (5.1) the tests run with. The digest is that of the index of all platforms.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# No package that runs here needs its install script. Debian's ffmpeg takes the place of the packaged one.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@ffmpeg-binary node_modules/@ffprobe-installer
# The web client and the programs are built here: what builds them is not needed where they run.
COPY web web
COPY src src
COPY projections projections
COPY transcode-agent transcode-agent
COPY build build
RUN node web/build.ts && node build/programs.ts && rm -rf node_modules/esbuild node_modules/@esbuild node_modules/hls.js node_modules/lucide

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
# What installs packages has no business in a running container.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && mkdir /data /blobs \
  && chown node:node /data /blobs
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY --from=packages /app/web/dist web/dist
COPY --from=packages /app/dist dist
# The settings of Node and of the C library that `src/process/start-again.ts` would start the program again for.
ENV NODE_ENV=production MARQUEE_DATA_DIR=/data MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 UV_THREADPOOL_SIZE=24
USER node
EXPOSE 8420
# That it lives, not that it can answer: a server that is away is no reason to start this one anew. Programs without the role api
# answer no requests: compose.yaml gives them a check of their own.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MARQUEE_PORT || 8420}/healthz`, { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-warning=ExperimentalWarning", "--max-semi-space-size=4", "--min-semi-space-size=4", "--heap-growing-percent=50", "--v8-pool-size=1", "--invocation-count-for-maglev=2000", "--initial-old-space-size=64", "--expose-gc", "dist/main.js"]
