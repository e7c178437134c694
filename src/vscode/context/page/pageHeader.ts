import * as l10n from '@vscode/l10n';
import type { ContextReport } from '../../../discovery/report/contextReport.ts';
import { requestButton } from './button.ts';
import { toolCount } from './counts.ts';
import { element } from './element.ts';

/** What the page is about, and what can be taken away from it. */
export function pageHeader(report: ContextReport): HTMLElement {
	return element(
		'header',
		{ 'data-key': 'header' },
		element(
			'div',
			{ class: 'title' },
			element('h1', {}, l10n.t('Context')),
			element('p', { role: 'status' }, chatState(report)),
		),
		element(
			'div',
			{ class: 'buttons', role: 'group', 'aria-label': l10n.t('Export') },
			requestButton({ kind: 'export', format: 'json' }, l10n.t('Export JSON'), { class: 'secondary' }),
			requestButton({ kind: 'export', format: 'csv' }, l10n.t('Export CSV'), { class: 'secondary' }),
		),
	);
}

/** `5 of at most 24 tools loaded · 2 always loaded · gpt-4.1 · toolset reading`. */
export function chatState(report: ContextReport): string {
	const { enabled, active, always, cap, timeline } = report;
	const model = timeline.findLast((entry) => entry.kind === 'turn')?.model;
	const loaded =
		cap === null
			? l10n.t('{0} loaded', toolCount(active.length))
			: l10n.t('{0} of at most {1} loaded', active.length, toolCount(cap));
	const more = always.length > 0 ? [l10n.t('{0} always loaded', always.length)] : [];
	return [
		...(enabled ? [loaded, ...more] : [l10n.t('Discovery is off: {0} loaded', toolCount(always.length))]),
		...(model ? [model] : []),
		...toolsetWords(report),
	].join(' · ');
}

function toolsetWords({ toolset, toolsetMissing }: ContextReport): string[] {
	if (toolset === undefined) return [];
	return [
		toolsetMissing
			? l10n.t('toolset {0}, missing from the configuration', toolset)
			: l10n.t('toolset {0}', toolset),
	];
}
