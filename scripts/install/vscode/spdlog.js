// The part of @vscode/spdlog that VS Code uses, in plain JavaScript. The package itself is C++ that must be compiled; without it,
// logs of the editor and of extensions cannot be read. The installation of the VS Code host copies this file over the package, as
// CommonJS, which is how the package is imported.
const fs = require('node:fs');
const path = require('node:path');

/** The names of levels that spdlog's `%l` writes. */
const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
const INFO = 2;

/** Local time in the format of spdlog's `%Y-%m-%d %H:%M:%S.%e`. */
function timestamp() {
	const now = new Date();
	const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
	return local.toISOString().slice(0, -1).replace('T', ' ');
}

/** A rotating file: when it is full, it becomes FILE.1 and a new one starts. Each line is on disk at once. */
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

	/** The editor uses two formats: lines with time and level, and, after `clearFormatters`, unchanged text. */
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
			// The profile's folder can be deleted while the last lines arrive. No one reads them.
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
