/// <reference lib="dom" />
import * as l10n from '@vscode/l10n';
import { exactText } from '../../../common/exactText.ts';
import {
	type Attributes,
	type Child,
	drawPage,
	element,
	onDidRequest,
	type PageNode,
	requestButton,
} from '../../ui/page/element.ts';
import { type ReviewedGroup, reviewGroups } from '../reviewGroups.ts';
import type {
	ProposedAddition,
	ReviewedServer,
	ReviewLine,
	ReviewMessage,
	ReviewRequest,
	ReviewView,
} from '../reviewView.ts';

/** What the editor gives a page, once. */
declare function acquireVsCodeApi(): { postMessage(request: ReviewRequest): void };

/** How long buttons do not answer after the page has changed, in milliseconds: time to read what has come under the pointer. */
const readingMs = 600;

// Before anything is drawn: texts are translated as they are drawn.
const { texts } = document.body.dataset;
if (texts) l10n.config({ contents: JSON.parse(texts) });

const editor = acquireVsCodeApi();
const page = document.querySelector('main');
let shown: ReviewView | undefined;
let restsUntil = 0;

function show({ view, only }: ReviewMessage): void {
	if (!page) return;
	// A proposal comes up while its user still presses Enter in the inputs before it.
	const isSudden = shown ? launches(shown) !== launches(view) : view.proposal !== undefined;
	if (isSudden) restsUntil = performance.now() + readingMs;
	shown = view;
	drawPage(page, reviewBody(view));
	if (only === undefined) return;
	const row = page.querySelector(`section.card[data-key="${CSS.escape(only)}"]`);
	row?.scrollIntoView({ block: 'start' });
	row?.querySelector('button')?.focus({ preventScroll: true });
}

/** What the rows would run, as one text: that one of them was approved changes nothing of it. */
function launches({ servers }: ReviewView): string {
	return JSON.stringify(servers.map(({ name, hash }) => [name, hash]));
}

addEventListener('message', ({ data }: MessageEvent<ReviewMessage>) => show(data));
if (page) {
	onDidRequest<ReviewRequest>(page, (request) => {
		if (performance.now() >= restsUntil) editor.postMessage(request);
	});
}
editor.postMessage({ kind: 'ready' });

/** The page: what waits, how to approve all of it, and one card a server. */
function reviewBody(view: ReviewView): readonly Child[] {
	const waiting = view.servers.filter(isWaiting);
	const { proposal } = view;
	if (proposal) return proposalBody(view, proposal);
	return [
		element(
			'header',
			{ class: 'bar' },
			element('h1', {}, l10n.t('Review Servers')),
			element('p', { role: 'status' }, summary(view.servers)),
			view.servers.length > 1 && buttons(waiting, view, allLabels(), true),
		),
		...explanation(view).map((words) => element('p', { class: 'note' }, words)),
		...reviewGroups(view.servers).map((group) => groupBody(group, view)),
		...(view.forbidden ?? []).map((words) => element('p', { class: 'note' }, words)),
	];
}

/** The page of a server that is to be added. */
function proposalBody(view: ReviewView, { file, notes, secretNames }: ProposedAddition): readonly Child[] {
	const secrets = secretNames.join(', ');
	const words = [
		areRemote(view)
			? l10n.t('It is added to {0}. Discovery connects to its address; nothing runs on this machine.', file)
			: l10n.t('It is added to {0} and runs as you, in {1} unless noted.', file, exactText(view.folder)),
		...(secretNames.length > 0
			? [l10n.t('Kept in VS Code’s secret storage, not in the file: {0}.', secrets)]
			: []),
		...notes,
		...believing(view, addLabels()),
	];
	return [
		element('header', { class: 'bar' }, element('h1', {}, l10n.t('Add Server'))),
		...view.servers.map((server) => card(server, view)),
		...words.map((one) => element('p', { class: 'note' }, one)),
	];
}

/** `20 servers need approval: 3 new, 1 changed`. */
function summary(servers: readonly ReviewedServer[]): string {
	const count = (mark: ReviewedServer['mark']) => servers.filter((server) => server.mark === mark).length;
	const waiting = servers.filter(isWaiting).length;
	const words =
		waiting === 1 ? l10n.t('1 server needs approval') : l10n.t('{0} servers need approval', waiting);
	const marks = [
		...(count('new') > 0 ? [l10n.t('{0} new', count('new'))] : []),
		...(count('changed') > 0 ? [l10n.t('{0} changed', count('changed'))] : []),
	];
	return marks.length === 0 ? words : l10n.t('{0}: {1}', words, marks.join(', '));
}

/** Whether nothing of what is shown runs on this machine. */
function areRemote({ servers }: ReviewView): boolean {
	return servers.length > 0 && servers.every(({ isRemote }) => isRemote);
}

function explanation(view: ReviewView): string[] {
	return [
		areRemote(view)
			? l10n.t('Discovery connects to these addresses once you approve them; nothing runs on this machine.')
			: l10n.t('Approved servers run as you, in {0} unless noted.', exactText(view.folder)),
		...believing(view, oneLabels()),
	];
}

function believing({ canBelieve }: ReviewView, { approve, believe }: Labels): string[] {
	return canBelieve
		? [
				l10n.t(
					'“{0}” asks before every call, even of tools marked read-only; “{1}” does not ask for those.',
					approve,
					believe,
				),
			]
		: [];
}

/** The cards of one file, below its heading. */
function groupBody({ file, servers }: ReviewedGroup, view: ReviewView): Child {
	const cards = servers.map((server) => card(server, view));
	if (!file) return cards;
	return element(
		'section',
		{ class: 'group', 'data-key': `file ${file.label} ${file.path}`, 'aria-label': file.label },
		element('h2', { class: 'file' }, file.label, ' ', element('span', { class: 'path' }, file.path)),
		...cards,
	);
}

function card(server: ReviewedServer, view: ReviewView): PageNode {
	const { name, shownName, mark, lines } = server;
	const id = idOf(server, view);
	const words = view.proposal ? '' : markWords(mark);
	return element(
		'section',
		{ class: `card ${mark}`, 'data-key': name, 'aria-labelledby': id },
		element(
			'div',
			{ class: 'heading' },
			element(server.file ? 'h3' : 'h2', { id, tabindex: -1 }, shownName),
			words !== '' && element('span', { class: 'mark' }, words),
		),
		element('div', { class: 'lines' }, ...lines.map(lineElement)),
		// As high as the buttons were, so that those of the next card do not come under the pointer.
		isWaiting(server)
			? buttons([server], view, view.proposal ? addLabels() : oneLabels(), view.servers.length === 1)
			: element('p', { class: 'buttons' }, l10n.t('✓ approved')),
	);
}

function lineElement({ change, text }: ReviewLine): PageNode {
	switch (change) {
		case 'same':
			return element('p', {}, text);
		case 'gone':
			return element('p', { class: 'gone' }, element('del', {}, `− ${text}`));
		case 'added':
			return element('p', { class: 'added' }, element('ins', {}, `+ ${text}`));
	}
}

/** `isMain`: it is what the page is for; a page has one such pair. */
function buttons(
	servers: readonly ReviewedServer[],
	view: ReviewView,
	{ approve, believe }: Labels,
	isMain: boolean,
): PageNode {
	const shown = servers.map(({ name, hash }) => ({ name, hash }));
	const [only] = servers.length === 1 ? servers : [];
	const heading = only && idOf(only, view);
	const button = (label: string, trustsHints: boolean, style: Attributes) => {
		const id = `${heading}-${trustsHints}`;
		// Read with the server that it is for: `Approve files`.
		const attributes = heading ? { ...style, id, 'aria-labelledby': `${id} ${heading}` } : style;
		return requestButton({ kind: 'approve', servers: shown, trustsHints }, label, attributes);
	};
	const secondary = { class: 'secondary' };
	return element(
		'div',
		{ class: 'buttons' },
		button(approve, false, isMain ? {} : secondary),
		view.canBelieve && button(believe, true, secondary),
		view.proposal && requestButton({ kind: 'back' }, l10n.t('Back'), secondary),
	);
}

interface Labels {
	readonly approve: string;
	readonly believe: string;
}

function oneLabels(): Labels {
	return { approve: l10n.t('Approve'), believe: l10n.t('Approve and Allow Read-Only Tools') };
}

function addLabels(): Labels {
	return { approve: l10n.t('Add and Start'), believe: l10n.t('Add, Start and Allow Read-Only Tools') };
}

function allLabels(): Labels {
	return { approve: l10n.t('Approve All'), believe: l10n.t('Approve All and Allow Read-Only Tools') };
}

function markWords(mark: ReviewedServer['mark']): string {
	switch (mark) {
		case 'new':
			return l10n.t('new');
		case 'changed':
			return l10n.t('changed since you approved it');
		case 'seen':
		case 'approved':
			return '';
	}
}

/** Of the server's heading. Not its name: that may hold blanks, which would part an id in two. */
function idOf(server: ReviewedServer, { servers }: ReviewView): string {
	return `server-${servers.indexOf(server)}`;
}

function isWaiting({ mark }: ReviewedServer): boolean {
	return mark !== 'approved';
}
