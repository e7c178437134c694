/** Names the steps of a person, so that a failure names its step and takes a screenshot. */
export class Steps {
	readonly #screenshot: (name: string) => Promise<string>;

	constructor(screenshot: (name: string) => Promise<string>) {
		this.#screenshot = screenshot;
	}

	/** Runs one step. Its error has the step's name and the path of a screenshot. */
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
