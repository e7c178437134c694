import {
	isWithinBounds,
	type Job,
	type OutcomeOf,
	type RenderOutcome,
	renderMs,
	startMs,
	type ValidationOutcome,
	validateMs,
} from './job.ts';
import type { Reply, SandboxProcess } from './sandboxProcess.ts';

/** How long jobs may take, in milliseconds. */
export interface Deadlines {
	readonly validateMs: number;
	readonly renderMs: number;
}

/**
 * Evaluates what others wrote, servers' schemas and workspaces' templates, in a process of its own: started with the first job, kept for
 * the next, ended at a job's deadline, and gone with ours. Jobs run one after the other, those of each lane in turn: whoever has many that
 * take long keeps others waiting for one of them only. Nothing throws; failures are outcomes.
 */
export class Sandbox {
	readonly #script: string;
	readonly #deadlines: Deadlines;
	#process: SandboxProcess | undefined;
	#disposed = false;
	/** Jobs that wait, by lane; the lane whose turn is next stands first. */
	readonly #waiting = new Map<string, (() => Promise<void>)[]>();
	#isWorking = false;

	/** @param script path of `worker.ts`, or of its bundle */
	constructor(script: string, deadlines: Deadlines = { validateMs, renderMs }) {
		this.#script = script;
		this.#deadlines = deadlines;
	}

	/**
	 * Checks a value against a JSON Schema of draft 4 to 2020-12, which `$schema` names; nothing is fetched for a `$ref`.
	 *
	 * @param lane whose schema it is: the name of the server
	 */
	async validate(schema: unknown, value: unknown, lane: string): Promise<ValidationOutcome> {
		if (!isWithinBounds(schema)) return { kind: 'unchecked', reason: 'the schema is too large to check' };
		if (!isWithinBounds(value)) return { kind: 'unchecked', reason: 'the value is too large to check' };
		const deadlineMs = this.#deadlines.validateMs;
		const ended = await this.#enqueue({ kind: 'validate', schema, value }, deadlineMs, `server ${lane}`);
		if (ended.kind === 'message') return ended.message;
		const reason = ended.kind === 'overdue' ? `checking took longer than ${deadlineMs} ms` : goneText;
		return { kind: 'unchecked', reason };
	}

	/** Renders a Jinja template with variables of JSON. */
	async render(template: string, variables: Readonly<Record<string, unknown>>): Promise<RenderOutcome> {
		const deadlineMs = this.#deadlines.renderMs;
		const ended = await this.#enqueue({ kind: 'render', template, variables }, deadlineMs, 'templates');
		if (ended.kind === 'message') return ended.message;
		const fault = ended.kind === 'overdue' ? `rendering took longer than ${deadlineMs} ms` : goneText;
		return { kind: 'failed', fault };
	}

	dispose(): void {
		this.#disposed = true;
		this.#process?.kill();
	}

	#enqueue<J extends Job>(job: J, deadlineMs: number, lane: string): Promise<Ended<OutcomeOf[J['kind']]>> {
		const ended = new Promise<Reply>((resolve) => {
			const jobs = this.#waiting.get(lane) ?? [];
			jobs.push(async () => resolve(await this.#run(job, deadlineMs)));
			this.#waiting.set(lane, jobs);
		});
		void this.#work();
		// The other end is `worker.ts`, which answers each kind of job with its kind of outcome.
		return ended as Promise<Ended<OutcomeOf[J['kind']]>>;
	}

	async #work(): Promise<void> {
		if (this.#isWorking) return;
		this.#isWorking = true;
		for (let [next] = this.#waiting; next; [next] = this.#waiting) {
			const [lane, jobs] = next;
			await jobs.shift()?.();
			// Behind the others, if there is more.
			this.#waiting.delete(lane);
			if (jobs.length > 0) this.#waiting.set(lane, jobs);
		}
		this.#isWorking = false;
	}

	async #run(job: Job, deadlineMs: number): Promise<Reply> {
		const process = await this.#ready();
		if (!process) return { kind: 'gone' };
		process.send(job);
		const answer = await process.answer(deadlineMs);
		if (answer.kind !== 'message') this.#end(process);
		return answer;
	}

	async #ready(): Promise<SandboxProcess | undefined> {
		if (this.#disposed) return undefined;
		if (this.#process && !this.#process.isGone) return this.#process;
		const { SandboxProcess } = await import('./sandboxProcess.ts');
		if (this.#disposed) return undefined;
		const process = new SandboxProcess(this.#script);
		this.#process = process;
		const answer = await process.answer(startMs);
		if (answer.kind === 'message') return process;
		this.#end(process);
		return undefined;
	}

	#end(process: SandboxProcess): void {
		process.kill();
		this.#process = undefined;
	}
}

type Ended<Outcome> =
	| { readonly kind: 'message'; readonly message: Outcome }
	| Exclude<Reply, { readonly kind: 'message' }>;

const goneText = 'the process that does it ended, mostly for want of memory';
