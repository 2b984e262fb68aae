#!/usr/bin/env node
// Starts the program that npm has installed for this platform, with the same arguments and streams,
// and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { isatty } = require("node:tty");
const own = require("../package.json");

const command = Object.keys(own.bin)[0];
const platform = `${process.platform}-${process.arch}`;
const wanted = `${own.name}-${platform}`;

function fail(text) {
  console.error(`${command}: ${text}`);
  process.exit(1);
}

let program;
try {
  program = require.resolve(`${wanted}/bin/${command}${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  const names = Object.keys(own.optionalDependencies);
  if (names.includes(wanted)) {
    fail(`the package ${wanted} is missing. npm installs it with ${own.name}, but not with --omit=optional, nor from a lock file that was made on another platform without it: install ${own.name} again.`);
  }
  fail(`there is no program for ${platform}, only for ${names.map((name) => name.slice(own.name.length + 1)).join(", ")}.`);
}

// These handlers run once the program has been started, since nothing below waits. A terminal sends
// its signals to the program, too, for which a second one means more than the first.
const ofTerminal = ["SIGINT", "SIGQUIT", "SIGHUP"];
const terminal = [0, 1, 2].some((stream) => isatty(stream));
for (const signal of [...ofTerminal, "SIGTERM"]) {
  process.on(signal, () => {
    if (!terminal || !ofTerminal.includes(signal)) child.kill(signal);
  });
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${program} does not start: ${error.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // Node.js ignores the first of these, and debugs itself at the second.
  if (signal === "SIGPIPE" || signal === "SIGUSR1") process.exit(128 + constants.signals[signal]);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
