/** Lines that do not explain anything: stack frames, versions, where to read more, and npm's codes. */
const uninformativeLine = new RegExp(
	[
		'^at ',
		'^\\^*$',
		'^[{}()[\\],;]*$',
		'^Node\\.js v',
		'^(code|requireStack|errno|syscall|path|address|port): ',
		'A complete log of this run',
		"^(See|Run) '.*--help'",
		'^For more (information|help)',
		'^(code|syscall|errno|path|dest|command|signal) \\S+$',
		'^\\d{3}$',
	].join('|'),
	'i',
);
/** npm's prefix for each line of an error; `ERR!` before npm 10. */
const npmMark = /^npm (error|ERR!)\s*/;
const errorMark = /^(\S*(error|exception)\b|fatal\b|panic\b|docker:)/i;

/** The line among the last lines of stderr that best explains a failure; `undefined`: none does. */
export function explanatoryLine(lines: readonly string[]): string | undefined {
	const candidates = lines
		.map((line) => ({ line: line.replace(npmMark, '').trim(), isNpm: npmMark.test(line) }))
		.filter(({ line }) => !uninformativeLine.test(line));
	// npm gives the reason first and advice later. Other programs put the error last.
	const found =
		candidates.find(({ isNpm }) => isNpm) ??
		candidates.findLast(({ line }) => errorMark.test(line)) ??
		candidates.at(-1);
	return found?.line;
}
