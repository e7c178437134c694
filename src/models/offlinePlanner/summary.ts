import type { ToolDefinition } from '../../discovery/tool.ts';
import type { Progress } from './decision.ts';
import { codeSpan, listed } from './markdown.ts';
import { fillingOf, type PlannedStep, type PlannedTurn } from './plannedTurn.ts';
import { type Outcome, report } from './report.ts';

/** What came of the steps and what was not done; `next`, which may be a question, stands at the end. */
export function summary(
	plan: PlannedTurn,
	progress: Progress,
	tools: readonly ToolDefinition[],
	next?: string,
): string {
	const { steps, leftOut } = plan;
	const { done } = progress;
	const reached = done.length + (next === undefined ? 0 : 1);
	const head = (index: number) =>
		steps.length > 1 ? `Step ${index + 1} (${quoted(steps.slice(index, index + 1))}): ` : '';
	const reports = done.map(
		(outcome, index) => head(index) + report(outcome) + notUsed(steps[index], outcome, tools),
	);
	const waiting = steps.slice(reached);
	const parts = [
		...reports,
		...(waiting.length > 0 ? [`Not done yet: ${quoted(waiting)}.`] : []),
		...(leftOut.length > 0
			? [
					`Not done, because I take at most ${steps.length} steps at a time: ${listed(leftOut.map(codeSpan))}.`,
				]
			: []),
		// On its own line, since the question is read back from the beginning of one.
		...(next === undefined ? [] : [`${head(done.length).trim()}\n\n${next}`.trim()]),
	];
	return parts.join('\n\n');
}

/** Values that the user gave and the call did not take: nothing is dropped in silence. */
function notUsed(
	step: PlannedStep | undefined,
	{ wireName }: Outcome,
	tools: readonly ToolDefinition[],
): string {
	const tool = tools.find(({ name }) => name === wireName);
	if (!step || !tool) return '';
	const unused = fillingOf(tool, step).unused.map(({ text }) => codeSpan(text));
	return unused.length > 0 ? `\n\nNot used, since the tool has no parameter for it: ${listed(unused)}.` : '';
}

function quoted(steps: readonly PlannedStep[]): string {
	return listed(steps.map(({ request }) => codeSpan(request)));
}
