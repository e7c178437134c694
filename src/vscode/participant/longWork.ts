import * as l10n from '@vscode/l10n';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Disposable } from '../../common/event.ts';

/** When a wait is first mentioned, in milliseconds. Then each time it has doubled, because each mention is a line in the chat. */
const firstToldMs = 10_000;

/** Says in the chat what a long answer waits for, if nothing else was said meanwhile. */
export class LongWork {
	readonly #say: (text: string) => void;
	readonly #clock: Clock;
	/** Running calls by id. */
	readonly #calls = new Map<
		string,
		{ readonly tool: string; readonly step: number; readonly since: number }
	>();
	readonly #started = new Set<string>();
	/** Servers whose questions are open, once per question. */
	readonly #asking: string[] = [];
	/** The last line says that the user is asked. */
	#isAskingShown = false;
	#steps = 0;
	/** Since when the model has been waited for, or has been thinking. */
	#waitingSince: number;
	#isThinking = false;
	#timer: Disposable | undefined;

	constructor(say: (text: string) => void, clock: Clock = systemClock) {
		this.#say = say;
		this.#clock = clock;
		this.#waitingSince = clock.now();
		this.#wait(firstToldMs);
	}

	/** A call is about to run. If the user is asked first, they know what is waited for. */
	callStarted(id: string): void {
		this.#started.add(id);
		this.somethingSaid();
	}

	/** The server got the call. */
	callBegun(id: string, tool: string): void {
		this.#started.delete(id);
		this.#steps++;
		this.#calls.set(id, { tool, step: this.#steps, since: this.#clock.now() });
		this.#wait(firstToldMs);
	}

	questionAsked(server: string): void {
		this.#asking.push(server);
		this.somethingSaid();
		this.#showAsking(server);
	}

	questionEnded(server: string): void {
		const at = this.#asking.indexOf(server);
		if (at >= 0) this.#asking.splice(at, 1);
		this.somethingSaid();
	}

	callEnded(id: string): void {
		this.#started.delete(id);
		this.#calls.delete(id);
		this.somethingSaid();
	}

	/** The model thinks, which the chat does not show. */
	thinks(): void {
		if (this.#isThinking) return;
		this.somethingSaid();
		this.#isThinking = true;
	}

	/** The chat shows something new, so the wait restarts. */
	somethingSaid(): void {
		this.#isAskingShown = false;
		this.#isThinking = false;
		this.#waitingSince = this.#clock.now();
		this.#wait(firstToldMs);
	}

	dispose(): void {
		this.#timer?.dispose();
	}

	#wait(ms: number): void {
		this.#timer?.dispose();
		this.#timer = this.#clock.after(ms, () => {
			const [asking] = this.#asking;
			if (asking !== undefined) this.#showAsking(asking);
			else if (this.#calls.size > 0 || this.#started.size === 0) this.#say(this.#words());
			this.#wait(2 * ms);
		});
	}

	/** A server's question holds up its call, so the user is waited for. Said once, until something else is said. */
	#showAsking(server: string): void {
		if (this.#isAskingShown) return;
		this.#isAskingShown = true;
		this.#say(l10n.t('{0} asks you something at the top of the window…', server));
	}

	/** Names the call that has run longest. */
	#words(): string {
		const [oldest, ...others] = this.#calls.values();
		if (!oldest) {
			const waited = this.#seconds(this.#waitingSince);
			return this.#isThinking
				? l10n.t('Thinking, {0} s…', waited)
				: l10n.t('Waiting for the model, {0} s…', waited);
		}
		const seconds = this.#seconds(oldest.since);
		return others.length === 0
			? l10n.t('Step {0}: running {1}, {2} s…', oldest.step, oldest.tool, seconds)
			: l10n.t(
					'Step {0}: running {1} and {2} more, {3} s…',
					oldest.step,
					oldest.tool,
					others.length,
					seconds,
				);
	}

	#seconds(since: number): number {
		return Math.round((this.#clock.now() - since) / 1000);
	}
}
