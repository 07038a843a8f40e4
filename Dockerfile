# The sources are bundled in the first stage; the second holds the bundle and Node, nothing else of ours.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY src src
COPY webhooks webhooks
COPY certs certs
COPY .config/bundle.ts .config/
RUN npm run build

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /build/dist dist
COPY package.json LICENSE ./
COPY manifests/samples manifests/samples
USER 65532:65532
EXPOSE 9443 8080 8081
# By itself Node lets its heap grow as large as the whole container, and is killed before it collects.
ENTRYPOINT ["node", "--max-old-space-size-percentage=60", "/app/dist/tars-admission.js"]
CMD ["webhook"]
