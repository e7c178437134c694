import {
	isWithinBounds,
	type Job,
	type RenderOutcome,
	renderMs,
	startMs,
	type ValidationOutcome,
	validateMs,
} from './job.ts';
import type { ProcessReply, SandboxProcess } from './sandboxProcess.ts';

/** Deadlines of jobs, in milliseconds. */
export interface Deadlines {
	readonly validateMs: number;
	readonly renderMs: number;
}

/**
 * Evaluates what others wrote, servers' schemas and workspaces' templates, in a separate process. It starts with the first job, is reused,
 * is killed at a job's deadline, and ends with ours. Jobs run one at a time, the lanes taking turns: a lane with many slow jobs delays the others
 * by one job only. Nothing throws; failures are outcomes.
 */
export class Sandbox {
	readonly #script: string;
	readonly #deadlines: Deadlines;
	#process: SandboxProcess | undefined;
	#isDisposed = false;
	/** Waiting jobs by lane; the next lane is first. */
	readonly #waiting = new Map<string, (() => Promise<void>)[]>();
	#isWorking = false;

	/** @param script path of `worker.ts`, or of its bundle */
	constructor(script: string, deadlines: Deadlines = { validateMs, renderMs }) {
		this.#script = script;
		this.#deadlines = deadlines;
	}

	/**
	 * Validates a value against a JSON Schema of draft 4 to 2020-12, according to `$schema`; nothing is fetched for a `$ref`.
	 *
	 * @param lane whose schema it is: the name of the server
	 */
	async validate(schema: unknown, value: unknown, lane: string): Promise<ValidationOutcome> {
		if (!isWithinBounds(schema)) return { kind: 'unchecked', reason: 'the schema is too large to check' };
		if (!isWithinBounds(value)) return { kind: 'unchecked', reason: 'the value is too large to check' };
		const deadlineMs = this.#deadlines.validateMs;
		const ended = await this.#enqueue({ kind: 'validate', schema, value }, deadlineMs, `server ${lane}`);
		if (ended.kind === 'message') return ended.message as ValidationOutcome;
		const reason = ended.kind === 'overdue' ? `checking took longer than ${deadlineMs} ms` : goneText;
		return { kind: 'unchecked', reason };
	}

	/** Renders a Jinja template with JSON variables. */
	async render(template: string, variables: Readonly<Record<string, unknown>>): Promise<RenderOutcome> {
		const deadlineMs = this.#deadlines.renderMs;
		const ended = await this.#enqueue({ kind: 'render', template, variables }, deadlineMs, 'templates');
		if (ended.kind === 'message') return ended.message as RenderOutcome;
		const fault = ended.kind === 'overdue' ? `rendering took longer than ${deadlineMs} ms` : goneText;
		return { kind: 'failed', fault };
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#process?.kill();
	}

	/** The message that answers a job is its kind of outcome: see `worker.ts`. */
	#enqueue(job: Job, deadlineMs: number, lane: string): Promise<ProcessReply> {
		const ended = new Promise<ProcessReply>((resolve) => {
			const jobs = this.#waiting.get(lane) ?? [];
			jobs.push(async () => resolve(await this.#run(job, deadlineMs)));
			this.#waiting.set(lane, jobs);
		});
		void this.#work();
		return ended;
	}

	async #work(): Promise<void> {
		if (this.#isWorking) return;
		this.#isWorking = true;
		for (let [next] = this.#waiting; next; [next] = this.#waiting) {
			const [lane, jobs] = next;
			await jobs.shift()?.();
			// Move the lane to the end, if it has more jobs.
			this.#waiting.delete(lane);
			if (jobs.length > 0) this.#waiting.set(lane, jobs);
		}
		this.#isWorking = false;
	}

	async #run(job: Job, deadlineMs: number): Promise<ProcessReply> {
		const process = await this.#ready();
		if (!process) return { kind: 'gone' };
		process.send(job);
		const answer = await process.answer(deadlineMs);
		if (answer.kind !== 'message') this.#end(process);
		return answer;
	}

	async #ready(): Promise<SandboxProcess | undefined> {
		if (this.#isDisposed) return undefined;
		if (this.#process && !this.#process.isGone) return this.#process;
		const { SandboxProcess } = await import('./sandboxProcess.ts');
		if (this.#isDisposed) return undefined;
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

const goneText = 'the process that does it ended, mostly for want of memory';
