// What VS Code uses of @vscode/spdlog, in plain JavaScript. The package itself is C++, which has to be compiled, and
// without it nothing that the editor or an extension logs can be read. The installation of the VS Code host puts
// this file in its place, as CommonJS: that is how the package is imported.
const fs = require('node:fs');
const path = require('node:path');

/** What spdlog's `%l` writes for each level. */
const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
const INFO = 2;

/** Local time as spdlog's `%Y-%m-%d %H:%M:%S.%e` writes it. */
function timestamp() {
	const now = new Date();
	const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
	return local.toISOString().slice(0, -1).replace('T', ' ');
}

/** A file that goes on as a new one when it is full, with what was before in FILE.1; each line is on disk at once. */
class Logger {
	#file;
	#maxSize;
	#level = INFO;
	#raw = false;

	constructor(_type, _name, file, maxSize) {
		this.#file = file;
		this.#maxSize = maxSize;
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.appendFileSync(file, '');
	}

	/** The editor knows two forms: lines with time and level, and, after `clearFormatters`, the text as it is. */
	setPattern() {
		this.#raw = false;
	}

	clearFormatters() {
		this.#raw = true;
	}

	getLevel() {
		return this.#level;
	}

	setLevel(level) {
		this.#level = level;
	}

	flush() {}

	drop() {}

	write(level, message) {
		if (level < this.#level) return;
		const line = this.#raw ? message : `${timestamp()} [${LEVELS[level]}] ${message}\n`;
		try {
			if (fs.statSync(this.#file).size > this.#maxSize) fs.renameSync(this.#file, `${this.#file}.1`);
			fs.appendFileSync(this.#file, line);
		} catch {
			// The folder goes with the profile while the last lines come: nobody will read them.
		}
	}
}

for (const [level, name] of ['trace', 'debug', 'info', 'warn', 'error', 'critical'].entries()) {
	Logger.prototype[name] = function (message) {
		this.write(level, message);
	};
}

exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (name, file, maxSize) => new Logger('rotating', name, file, maxSize);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
