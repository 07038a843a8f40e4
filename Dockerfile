# The sources are bundled in the first stage; the second holds the bundle and Node, nothing else of ours.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY src src
COPY webhooks webhooks
COPY certs certs
COPY .config .config
# What `tars-admission sync -version` names: --build-arg COMMIT=$(git rev-parse --short=12 HEAD)
ARG COMMIT=
RUN npm run build

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
COPY manifests/samples manifests/samples
RUN install -d -o 65532 -g 65532 compiled
USER 65532:65532
# What V8 makes of the bundle, so that no start waits for it: read from here on a root that cannot be written, by this user.
ENV NODE_COMPILE_CACHE=/app/compiled
RUN node --input-type=module --eval "import { readdirSync } from 'node:fs'; \
      for (const file of readdirSync('dist')) if (/^(?!tars).*\.js$/.test(file)) await import('/app/dist/' + file)" \
 && node dist/tars-admission.js --help > /dev/null
# Else threads that have nothing to do with each other keep memory apart that was freed: some 20 MB of a worker.
ENV MALLOC_ARENA_MAX=1
EXPOSE 9443 8080 8081
# By itself Node lets its heap grow as large as the whole container, and is killed before it collects; and it keeps what is young
# so long that a list of 100,000 objects takes twice the memory.
ENTRYPOINT ["node", "--max-old-space-size-percentage=60", "--max-semi-space-size=8", "/app/dist/tars-admission.js"]
CMD ["webhook"]
