// The image's health check. The exit code is 0 while the program and its database respond.
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/api/health`);
process.exitCode = ok ? 0 : 1;
