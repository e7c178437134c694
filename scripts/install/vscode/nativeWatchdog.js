// What VS Code uses of @vscode/native-watchdog, in plain JavaScript: a process of the editor ends when the one that
// started it is gone. The package is C++, which has to be compiled, and looks from a thread of its own.
const CHECK_MS = 1_000;
/** The exit code of the package. */
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
