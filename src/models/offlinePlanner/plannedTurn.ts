import { searchToolsName } from '../../discovery/syntheticTool.ts';
import type { ToolDefinition } from '../../discovery/tool.ts';
import type { ChatMessage } from '../chatModel.ts';
import { isCancel } from './advice.ts';
import { completeParameters, type Filling, fillParameters } from './fill.ts';
import { maxAnswers } from './limits.ts';
import { readPrompt } from './prompt.ts';
import { parseQuestion } from './question.ts';
import { splitSteps } from './steps.ts';
import { namesIn, toolByName } from './toolReference.ts';
import { lastAnswer, newestTurn, type Turn } from './turn.ts';
import { actionVerbs, compact, wordsOf } from './words.ts';

/** One search and one call. */
export interface PlannedStep {
	/** The request in the user's words. */
	readonly request: string;
	/** What the user answered to questions about it, oldest first. */
	readonly answers: readonly string[];
	/** The tool that the questions were about. */
	readonly wireName?: string;
}

/** What the newest turn is to do. */
export interface PlannedTurn {
	readonly steps: readonly PlannedStep[];
	/** Steps beyond the limit. */
	readonly leftOut: readonly string[];
	/** The newest message answers the planner's own question. */
	readonly isAnswer: boolean;
}

/**
 * The steps of the newest turn: those of its prompt or, where it answers the question that stands right before it, the
 * step in question with the answer, and the ones that were to follow.
 */
export function planTurn(
	messages: readonly ChatMessage[],
	tools: readonly ToolDefinition[],
	depth = 0,
): PlannedTurn | undefined {
	const turn = newestTurn(messages);
	if (!turn) return undefined;
	return answeringPlan(turn, tools, depth) ?? newPlan(turn.prompt);
}

function newPlan(prompt: string): PlannedTurn {
	const { steps, leftOut } = splitSteps(prompt);
	return { steps: steps.map((request) => ({ request, answers: [] })), leftOut, isAnswer: false };
}

function answeringPlan(turn: Turn, tools: readonly ToolDefinition[], depth: number): PlannedTurn | undefined {
	const question = parseQuestion(lastAnswer(turn.before) ?? '');
	if (!question || depth >= maxAnswers) return undefined;
	const earlier = planTurn(turn.before, tools, depth + 1);
	const asked = earlier?.steps[question.step - 1];
	if (!earlier || !asked) return undefined;
	const { wireName } = question;
	if (!isAnswer(turn, { ...asked, wireName }, tools)) return undefined;
	const step = { ...asked, wireName, answers: [...asked.answers, turn.prompt] };
	return { steps: [step, ...earlier.steps.slice(question.step)], leftOut: earlier.leftOut, isAnswer: true };
}

/**
 * Whether the message answers the question or starts anew. It starts anew when it begins with a verb of the planner's
 * list ("list the files") or names another tool, and labels none of the values asked for; or when nothing of it fits.
 * Quotes make any text an answer.
 */
function isAnswer(
	turn: Turn,
	asked: PlannedStep & { readonly wireName: string },
	tools: readonly ToolDefinition[],
): boolean {
	if (isCancel(turn.prompt) || isReloading(turn, asked.wireName)) return true;
	const tool = tools.find(({ name }) => name === asked.wireName);
	const filling = tool && fillingOf(tool, asked);
	const labels = new Set(readPrompt(turn.prompt, filling?.missing).map(({ label }) => label));
	if (filling?.missing.some(({ name }) => labels.has(compact(name)))) return true;
	if (beginsRequest(turn.prompt) || namesOther(turn.prompt, asked.wireName, tools)) return false;
	if (!tool || !filling) return true;
	const completed = completeParameters(tool, filling, turn.prompt);
	return completed.missing.length < filling.missing.length || completed.said.size > filling.said.size;
}

/** The turn has begun to load the tool in question again, so it was taken for an answer before. */
function isReloading({ exchanges }: Turn, wireName: string): boolean {
	const [first] = exchanges;
	const names = first?.call.name === searchToolsName ? first.call.input.tool_names : undefined;
	return Array.isArray(names) && names.length === 1 && names[0] === wireName;
}

function beginsRequest(prompt: string): boolean {
	const words = wordsOf(prompt);
	if (words.length === 1) return words[0] === 'help';
	return (
		/^\s*(?:please\s+|can you\s+|could you\s+)?[\p{L}]/iu.test(prompt) && actionVerbs.has(firstWord(prompt))
	);
}

function firstWord(prompt: string): string {
	return wordsOf(prompt.replace(/^\s*(?:please|can you|could you)\s+/i, ''))[0] ?? '';
}

function namesOther(prompt: string, wireName: string, tools: readonly ToolDefinition[]): boolean {
	return namesIn(prompt, readPrompt(prompt)).some((name) => {
		const tool = toolByName(name, tools);
		return tool !== undefined && tool.name !== wireName;
	});
}

/** What the request and the answers so far give the tool. */
export function fillingOf(tool: ToolDefinition, { request, answers }: PlannedStep): Filling {
	return answers.reduce(
		(filling, answer) => completeParameters(tool, filling, answer),
		fillParameters(tool, request),
	);
}
