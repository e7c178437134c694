import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import { requestButton } from './button.ts';
import { element } from './element.ts';
import { counted } from './numbers.ts';

/** What the page is about, and what can be taken away from it. */
export function pageHeader(report: ContextReport): HTMLElement {
	return element(
		'header',
		{ 'data-key': 'header' },
		element(
			'div',
			{ class: 'title' },
			element('h1', {}, 'Context'),
			element('p', { role: 'status' }, chatState(report)),
		),
		element(
			'div',
			{ class: 'buttons', role: 'group', 'aria-label': 'Export' },
			requestButton({ kind: 'export', format: 'json' }, 'Export JSON', { class: 'secondary' }),
			requestButton({ kind: 'export', format: 'csv' }, 'Export CSV', { class: 'secondary' }),
		),
	);
}

/** `5 of at most 24 tools loaded · 2 always loaded · gpt-4.1 · toolset reading`. */
export function chatState({ enabled, active, always, cap, toolset, timeline }: ContextReport): string {
	const model = timeline.findLast((entry) => entry.kind === 'turn')?.model;
	const loaded =
		cap === null
			? `${counted(active.length, 'tool')} loaded`
			: `${active.length} of at most ${cap} tools loaded`;
	const more = always.length > 0 ? [`${always.length} always loaded`] : [];
	return [
		...(enabled ? [loaded, ...more] : [`Discovery is off: ${counted(always.length, 'tool')} loaded`]),
		...(model ? [model] : []),
		...(toolset === undefined ? [] : [`toolset ${toolset}`]),
	].join(' · ');
}
