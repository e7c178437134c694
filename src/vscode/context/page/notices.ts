import type { PageCommand, PageView } from '../messages.ts';
import { requestButton } from './button.ts';
import { element } from './element.ts';

/** Something that keeps the page from being of use, with what to do about it. */
interface Notice {
	readonly title: string;
	readonly text: string;
	readonly command: PageCommand;
	readonly button: string;
}

/** What the page says where there is nothing to report; nothing while that is not known. */
const blank: Readonly<Record<Exclude<PageView['kind'], 'report' | 'loading'>, Notice>> = {
	untrusted: {
		title: 'This workspace is not trusted',
		text: 'No MCP server is started in it.',
		command: 'trust',
		button: 'Manage Workspace Trust',
	},
	none: {
		title: 'No MCP servers are configured',
		text: 'The file casual_mcp_config.json names the servers, and says which of their tools are deferred.',
		command: 'createConfig',
		button: 'Create Configuration',
	},
	broken: {
		title: 'The configuration cannot be read',
		text: 'Its faults are marked in the file.',
		command: 'openConfig',
		button: 'Open Configuration',
	},
};

const off: Notice = {
	title: 'Discovery is off',
	text: 'Every tool of every server goes to the model with every request.',
	command: 'enableDiscovery',
	button: 'Turn On Discovery',
};

const unasked: Notice = {
	title: 'No chat yet',
	text: 'Ask @discovery something: what it searches, loads and calls appears here as it happens.',
	command: 'ask',
	button: 'Ask @discovery',
};

export function blankPage(kind: keyof typeof blank): HTMLElement {
	return notice('blank', blank[kind]);
}

export function offNotice(): HTMLElement {
	return notice('off', off);
}

export function unaskedNotice(): HTMLElement {
	return notice('unasked', unasked);
}

function notice(key: string, { title, text, command, button }: Notice): HTMLElement {
	return element(
		'section',
		{ class: 'card notice', 'data-key': key },
		element('div', {}, element('h2', { tabindex: -1 }, title), element('p', { class: 'note' }, text)),
		requestButton({ kind: 'run', command }, button),
	);
}
