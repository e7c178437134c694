// The part of @vscode/native-watchdog that VS Code uses, in plain JavaScript: an editor process ends when its parent process is
// gone. The package itself is C++ that must be compiled, and checks in its own thread.
const CHECK_MS = 1_000;
/** The package's exit code. */
const PARENT_GONE = 87;

exports.start = (pid) => {
	setInterval(() => {
		try {
			process.kill(pid, 0);
		} catch {
			process.exit(PARENT_GONE);
		}
	}, CHECK_MS).unref();
};
exports.exit = (code = 0) => process.exit(code);
