import { isWithinBounds } from './bounds.ts';
import type { Job, OutcomeOf } from './job.ts';
import { renderMs, startMs, validateMs } from './limits.ts';
import type { RenderOutcome, ValidationOutcome } from './outcome.ts';
import { type Answer, SandboxProcess } from './sandboxProcess.ts';

/** How long jobs may take, in milliseconds. */
export interface Deadlines {
	readonly validateMs: number;
	readonly renderMs: number;
}

/**
 * Evaluates what others wrote, servers' schemas and workspaces' templates, in a process of its own: started with the first job, kept for
 * the next, ended at a job's deadline, and gone with ours. Jobs run one after the other. Nothing throws; failures are outcomes.
 */
export class Sandbox {
	readonly #script: string;
	readonly #deadlines: Deadlines;
	#process: SandboxProcess | undefined;
	#disposed = false;
	/** Settles when all jobs so far have. */
	#jobs: Promise<unknown> = Promise.resolve();

	/** @param script path of `worker.ts`, or of its bundle */
	constructor(script: string, deadlines: Deadlines = { validateMs, renderMs }) {
		this.#script = script;
		this.#deadlines = deadlines;
	}

	/** Checks a value against a JSON Schema of draft 4 to 2020-12, which `$schema` names; nothing is fetched for a `$ref`. */
	async validate(schema: unknown, value: unknown): Promise<ValidationOutcome> {
		if (!isWithinBounds(schema)) return { kind: 'unchecked', reason: 'the schema is too large to check' };
		if (!isWithinBounds(value)) return { kind: 'unchecked', reason: 'the value is too large to check' };
		const deadlineMs = this.#deadlines.validateMs;
		const ended = await this.#enqueue({ kind: 'validate', schema, value }, deadlineMs);
		if (ended.kind === 'message') return ended.message;
		const reason = ended.kind === 'overdue' ? `checking took longer than ${deadlineMs} ms` : goneText;
		return { kind: 'unchecked', reason };
	}

	/** Renders a Jinja template with variables of JSON. */
	async render(template: string, variables: Readonly<Record<string, unknown>>): Promise<RenderOutcome> {
		const deadlineMs = this.#deadlines.renderMs;
		const ended = await this.#enqueue({ kind: 'render', template, variables }, deadlineMs);
		if (ended.kind === 'message') return ended.message;
		const fault = ended.kind === 'overdue' ? `rendering took longer than ${deadlineMs} ms` : goneText;
		return { kind: 'failed', fault };
	}

	dispose(): void {
		this.#disposed = true;
		this.#process?.kill();
	}

	#enqueue<J extends Job>(job: J, deadlineMs: number): Promise<Ended<OutcomeOf[J['kind']]>> {
		const ended = this.#jobs.then(() => this.#run(job, deadlineMs));
		this.#jobs = ended;
		// The other end is `worker.ts`, which answers each kind of job with its kind of outcome.
		return ended as Promise<Ended<OutcomeOf[J['kind']]>>;
	}

	async #run(job: Job, deadlineMs: number): Promise<Answer> {
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
	| Exclude<Answer, { readonly kind: 'message' }>;

const goneText = 'the process that does it ended, mostly for want of memory';
