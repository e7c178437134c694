import type { TokenUsage } from '../../common/cost.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import type { ChatModel } from '../../models/chatModel.ts';
import { ModelError, type ModelErrorReason } from '../../models/modelError.ts';
import { abortableStream } from '../streams.ts';
import { type AnswerForm, type Lesson, lessonRequest, lessonsOf, readLesson } from './lesson.ts';

/** What tools are taught with. */
export interface Teaching {
	readonly model: Pick<ChatModel, 'name' | 'maxInputTokens' | 'stream'>;
	readonly signal: AbortSignal;
	/** Keeps what an answer said. What is kept stays, however the rest goes. Called with nothing first: what cannot be kept is not asked for. */
	readonly keep: (learned: ReadonlyMap<CatalogTool, ToolExpansion>) => Promise<void>;
	/** Told how many tools are done with, described or given up. */
	readonly progress?: (done: number) => void;
}

/** What teaching came to. */
export interface Taught {
	readonly learned: ReadonlyMap<CatalogTool, ToolExpansion>;
	/** Tools of which the model has said nothing usable however often it was asked. */
	readonly undescribed: readonly CatalogTool[];
	readonly requests: number;
	/** As far as the provider has counted them. */
	readonly tokens: number;
	/** The user has stopped it, or it has failed: tools that are in neither list were not asked for. */
	readonly end:
		| { readonly kind: 'complete' | 'cancelled' }
		| { readonly kind: 'failed'; readonly error: unknown };
}

/** Requests that are under way at the same time. */
const atOnce = 3;
/** How often a model is asked about a tool before it is given up. */
const mostAttempts = 3;
/** After so many answers in a row that described nothing, the model is not asked on: one lesson that it refuses makes seven at most. */
const fruitlessAnswers = 8;
/** Characters of an answer that are read. */
const readCharacters = 200_000;

/** The answer was no use, but a smaller request, or one in another form, may do. */
const passingReasons: ReadonlySet<ModelErrorReason> = new Set([
	'contextTooLong',
	'invalidRequest',
	'refused',
	'outputLimit',
	'malformed',
	'oversized',
]);

interface Task {
	readonly lesson: Lesson;
	readonly attempt: number;
}

/**
 * Has a model write, of each tool, when people want it and what they say then: many tools a request, and those again that an answer left
 * out, in smaller requests.
 */
export async function teach(tools: readonly CatalogTool[], teaching: Teaching): Promise<Taught> {
	return new Teacher(teaching).teach(tools);
}

class Teacher {
	readonly #teaching: Teaching;
	readonly #tasks: Task[] = [];
	readonly #learned = new Map<CatalogTool, ToolExpansion>();
	readonly #undescribed: CatalogTool[] = [];
	#form: AnswerForm = 'call';
	#requests = 0;
	#tokens = 0;
	/** Answers in a row that described nothing, and why the last of them failed, where it did. */
	#fruitless = 0;
	#refusal: unknown;
	#failure: { readonly error: unknown } | undefined;

	constructor(teaching: Teaching) {
		this.#teaching = teaching;
	}

	async teach(tools: readonly CatalogTool[]): Promise<Taught> {
		const { model, signal } = this.#teaching;
		const lessons = lessonsOf(tools, model.maxInputTokens);
		this.#tasks.push(...lessons.map((lesson) => ({ lesson, attempt: 1 })));
		try {
			await this.#teaching.keep(new Map());
		} catch (error) {
			this.#failure = { error };
		}
		await Promise.all(Array.from({ length: atOnce }, () => this.#work()));
		const kind = signal.aborted ? 'cancelled' : 'complete';
		return {
			learned: this.#learned,
			undescribed: this.#undescribed,
			requests: this.#requests,
			tokens: this.#tokens,
			end: this.#failure && !signal.aborted ? { kind: 'failed', ...this.#failure } : { kind },
		};
	}

	/** Works on one task after the other. What is left of one is put back before its worker looks for another, so that none is overlooked. */
	async #work(): Promise<void> {
		for (let task = this.#next(); task; task = this.#next()) {
			try {
				await this.#do(task);
			} catch (error) {
				this.#failure ??= { error };
			}
		}
	}

	#next(): Task | undefined {
		return this.#teaching.signal.aborted || this.#failure ? undefined : this.#tasks.shift();
	}

	async #do({ lesson, attempt }: Task): Promise<void> {
		const form = this.#form;
		const learned = await this.#ask(lesson, form);
		if (this.#teaching.signal.aborted && learned.size === 0) return;
		this.#fruitless = learned.size > 0 ? 0 : this.#fruitless + 1;
		if (learned.size > 0) await this.#teaching.keep(learned);
		for (const [tool, expansion] of learned) this.#learned.set(tool, expansion);
		if (this.#fruitless >= fruitlessAnswers) throw this.#refusal ?? new FruitlessError();
		const missing = lesson.filter((tool) => !learned.has(tool));
		// A model that does not answer in this form may do so in the other.
		if (learned.size === 0 && this.#form === form) this.#form = form === 'call' ? 'text' : 'call';
		if (attempt >= mostAttempts) this.#undescribed.push(...missing);
		else this.#tasks.push(...halves(missing).map((half) => ({ lesson: half, attempt: attempt + 1 })));
		this.#teaching.progress?.(this.#learned.size + this.#undescribed.length);
	}

	async #ask(lesson: Lesson, form: AnswerForm): Promise<Map<CatalogTool, ToolExpansion>> {
		const { model, signal } = this.#teaching;
		const calls: ToolCall[] = [];
		let text = '';
		let usage: TokenUsage | undefined;
		this.#requests++;
		try {
			for await (const event of abortableStream(model.stream(lessonRequest(lesson, form), signal), signal)) {
				if (event.type === 'text' && text.length < readCharacters) text += event.text;
				else if (event.type === 'toolCall') calls.push(event.call);
				else if (event.type === 'usage') usage = event.usage;
			}
			this.#refusal = undefined;
		} catch (error) {
			if (!signal.aborted && !isPassing(error)) throw error;
			this.#refusal = error;
		} finally {
			this.#tokens += (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
		}
		return readLesson(lesson, { calls, text });
	}
}

/** The model answers, and with nothing that can be used. */
export class FruitlessError extends Error {
	override readonly name = 'FruitlessError';

	constructor() {
		super('No answer of the model was as it was asked for.');
	}
}

/** Whether asking differently may help. VS Code's own models tell a refusal by the code of the error (`LanguageModelError.Blocked`). */
function isPassing(error: unknown): boolean {
	if (error instanceof ModelError) return passingReasons.has(error.reason);
	return error instanceof Error && 'code' in error && error.code === 'Blocked';
}

function halves(lesson: Lesson): Lesson[] {
	if (lesson.length < 2) return lesson.length === 0 ? [] : [lesson];
	const middle = Math.ceil(lesson.length / 2);
	return [lesson.slice(0, middle), lesson.slice(middle)];
}
