import * as l10n from '@vscode/l10n';
import type { PageCommand, PageView } from '../messages.ts';
import { requestButton } from './button.ts';
import { element } from './element.ts';

/** Something that keeps the page from being of use, with what to do about it; the first button is the one to press. */
interface Notice {
	readonly title: string;
	readonly text: string;
	readonly buttons: readonly (readonly [command: PageCommand, label: string])[];
}

/** What there is instead of a report. */
type BlankKind = Exclude<PageView['kind'], 'report' | 'loading'>;

/** What the page says where there is nothing to report. */
function blank(kind: BlankKind): Notice {
	switch (kind) {
		case 'untrusted':
			return {
				title: l10n.t('This workspace is not trusted'),
				text: l10n.t('No MCP server is started in it.'),
				buttons: [
					['trust', l10n.t('Manage Workspace Trust')],
					['openWalkthrough', l10n.t('Get Started')],
				],
			};
		case 'none':
			return {
				title: l10n.t('No MCP servers are configured'),
				text: l10n.t(
					'The file {0} names the servers, and says which of their tools are deferred.',
					'casual_mcp_config.json',
				),
				buttons: [
					['createConfig', l10n.t('Create Configuration')],
					['importServers', l10n.t('Import Servers…')],
					['openWalkthrough', l10n.t('Get Started')],
				],
			};
		case 'broken':
			return {
				title: l10n.t('The configuration cannot be read'),
				text: l10n.t('Its faults are marked in the file.'),
				buttons: [['openConfig', l10n.t('Open Configuration')]],
			};
	}
}

export function blankPage(kind: BlankKind): HTMLElement {
	return notice('blank', blank(kind));
}

export function offNotice(): HTMLElement {
	return notice('off', {
		title: l10n.t('Discovery is off'),
		text: l10n.t('Every tool of every server goes to the model with every request.'),
		buttons: [['enableDiscovery', l10n.t('Turn On Discovery')]],
	});
}

export function unaskedNotice(): HTMLElement {
	return notice('unasked', {
		title: l10n.t('No chat yet'),
		text: l10n.t('Ask @discovery something: what it searches, loads and calls appears here as it happens.'),
		buttons: [['ask', l10n.t('Ask @discovery')]],
	});
}

function notice(key: string, { title, text, buttons }: Notice): HTMLElement {
	return element(
		'section',
		{ class: 'card notice', 'data-key': key },
		element('div', {}, element('h2', { tabindex: -1 }, title), element('p', { class: 'note' }, text)),
		element(
			'span',
			{ class: 'buttons' },
			...buttons.map(([command, label], i) =>
				requestButton({ kind: 'run', command }, label, {
					class: i > 0 && 'secondary',
					'data-key': command,
				}),
			),
		),
	);
}
