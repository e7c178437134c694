/** A position in a file; both numbers start at 1. */
export interface LineColumn {
	readonly line: number;
	readonly column: number;
}

/** A fault in a file. Its message is a sentence. */
export class FileFault extends Error {
	readonly position: LineColumn;
	constructor(message: string, { line, column }: LineColumn = { line: 1, column: 1 }) {
		super(message);
		this.position = { line, column };
	}
}
