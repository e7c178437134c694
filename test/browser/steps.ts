/** Names what a person was about to do, so that a failure says it and leaves a picture of the screen. */
export class Steps {
	readonly #screenshot: (name: string) => Promise<string>;

	constructor(screenshot: (name: string) => Promise<string>) {
		this.#screenshot = screenshot;
	}

	/** Runs one step; a failure comes with the step's name and the path of a screenshot taken at that moment. */
	async run<T>(what: string, step: () => Promise<T>): Promise<T> {
		try {
			return await step();
		} catch (cause) {
			const picture = await this.#screenshot(`failed-${what}`).catch(() => 'none could be taken');
			const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
			throw new Error(`Could not ${what}: ${reason}\nScreenshot: ${picture}`, { cause });
		}
	}
}
