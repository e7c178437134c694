/** A position in a file; both numbers start at 1. */
export interface Position {
	readonly line: number;
	readonly column: number;
}

/** A fault in a file. Its message is a sentence. */
export class FileFault extends Error {
	readonly position: Position;
	constructor(message: string, { line, column }: Position = { line: 1, column: 1 }) {
		super(message);
		this.position = { line, column };
	}
}
