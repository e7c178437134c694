import { abortable } from '../../common/cancellation.ts';
import type { CatalogTool } from '../../discovery/catalog/catalog.ts';
import type { ToolExpansion } from '../../discovery/catalog/expansion.ts';
import type { ToolCall } from '../../discovery/catalog/message.ts';
import { callsOf } from '../../models/answerParts.ts';
import type { ChatModel, ChatModelEvent } from '../../models/chatModel.ts';
import { ModelError, type ModelErrorReason } from '../../models/modelError.ts';
import { type AnswerForm, type Lesson, lessonRequest, lessonsOf, readLesson } from './lesson.ts';

export interface Teaching {
	readonly model: Pick<ChatModel, 'name' | 'maxInputTokens' | 'answer'>;
	readonly signal: AbortSignal;
	/** Stores what an answer said; it stays even if later requests fail. First called with nothing: if storing fails, nothing is asked. */
	readonly keep: (learned: ReadonlyMap<CatalogTool, ToolExpansion>) => Promise<void>;
	/** Called with the number of finished tools, described or given up. */
	readonly progress?: (done: number) => void;
}

export interface LearnedExpansion {
	readonly learned: ReadonlyMap<CatalogTool, ToolExpansion>;
	/** Tools that the model did not describe in any attempt. */
	readonly undescribed: readonly CatalogTool[];
	readonly requests: number;
	/** If the provider counted them. */
	readonly tokens: number;
	/** If the user stopped it, or it failed, tools in neither list were not requested. */
	readonly end:
		| { readonly kind: 'complete' | 'cancelled' }
		| { readonly kind: 'failed'; readonly error: unknown };
}

/** Concurrent requests. */
const atOnce = 3;
/** Attempts per tool. */
const maxAttempts = 3;
/** Teaching ends after this many useless answers in a row: one lesson that the model refuses causes seven at most. */
const fruitlessAnswers = 8;
/** Characters of an answer that are read. */
const readCharacters = 200_000;

/** Failures after which a smaller request, or one in another form, may succeed. */
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
 * Lets a model describe when people want each tool and what they say then. Many tools per request; tools that an answer left out are requested
 * again in smaller requests.
 */
export async function teach(tools: readonly CatalogTool[], teaching: Teaching): Promise<LearnedExpansion> {
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
	/** Useless answers in a row, and why the last of them failed, if it did. */
	#fruitless = 0;
	#refusal: unknown;
	#failure: { readonly error: unknown } | undefined;

	constructor(teaching: Teaching) {
		this.#teaching = teaching;
	}

	async teach(tools: readonly CatalogTool[]): Promise<LearnedExpansion> {
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

	/** Does one task after the other. The rest of a task is queued before its worker takes another, so that none is missed. */
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
		// The model may answer in the other form.
		if (learned.size === 0 && this.#form === form) this.#form = form === 'call' ? 'text' : 'call';
		if (attempt >= maxAttempts) this.#undescribed.push(...missing);
		else this.#tasks.push(...halves(missing).map((half) => ({ lesson: half, attempt: attempt + 1 })));
		this.#teaching.progress?.(this.#learned.size + this.#undescribed.length);
	}

	async #ask(lesson: Lesson, form: AnswerForm): Promise<Map<CatalogTool, ToolExpansion>> {
		const { model, signal } = this.#teaching;
		let calls: readonly ToolCall[] = [];
		let text = '';
		this.#requests++;
		const hear = (event: ChatModelEvent) => {
			if (event.type === 'text' && text.length < readCharacters) text += event.text;
			if (event.type === 'usage') this.#tokens += event.usage.inputTokens + event.usage.outputTokens;
		};
		try {
			calls = callsOf(await abortable(model.answer(lessonRequest(lesson, form), signal, hear), signal));
			this.#refusal = undefined;
		} catch (error) {
			if (!signal.aborted && !isPassing(error)) throw error;
			this.#refusal = error;
		}
		return readLesson(lesson, { calls, text });
	}
}

/** The model answers, but nothing is usable. */
export class FruitlessError extends Error {
	override readonly name = 'FruitlessError';

	constructor() {
		super('No answer of the model was in the requested form.');
	}
}

/** Whether another request may succeed. VS Code's own models report a refusal by the error's code (`LanguageModelError.Blocked`). */
function isPassing(error: unknown): boolean {
	if (error instanceof ModelError) return passingReasons.has(error.reason);
	return error instanceof Error && 'code' in error && error.code === 'Blocked';
}

function halves(lesson: Lesson): Lesson[] {
	if (lesson.length < 2) return lesson.length === 0 ? [] : [lesson];
	const middle = Math.ceil(lesson.length / 2);
	return [lesson.slice(0, middle), lesson.slice(middle)];
}
