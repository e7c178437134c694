/// <reference lib="dom" />
import * as l10n from '@vscode/l10n';
import { exactText } from '../../../common/exactText.ts';
import { type Child, drawPage, element, openPage, type PageNode } from '../../ui/page/element.ts';
import type {
	ReviewedFile,
	ReviewedServer,
	ReviewLine,
	ReviewMessage,
	ReviewRequest,
	ReviewView,
} from '../reviewView.ts';

/** How long the page ignores clicks after its servers have changed, in milliseconds: time to see what is now under the pointer. */
const readingMs = 600;

const editor = openPage<ReviewRequest>();
const page = document.querySelector('main');
let currentView: ReviewView | undefined;
let restsUntil = 0;
/** Keys of selected servers, with the hashes of their launches: a server that changes is no longer selected. */
let chosen: ReadonlySet<string> = new Set();
let filter = '';
let trustsHints = false;

function draw(): void {
	if (currentView) drawPage(reviewBody(currentView));
}

function show({ view, select }: ReviewMessage): void {
	// Add Servers opens the page while its user may still be pressing Enter in the inputs before it.
	const isSudden = currentView ? keysOf(currentView).join() !== keysOf(view).join() : select !== undefined;
	if (isSudden) restsUntil = performance.now() + readingMs;
	const isFirst = currentView === undefined;
	currentView = view;
	const servers = serversOf(view);
	const selectedServers = select
		? servers.filter(({ name }) => select.includes(name))
		: isFirst && servers.length === 1
			? servers
			: [];
	const [first] = selectedServers;
	if (first) {
		chosen = new Set(selectedServers.map(keyOf));
		filter = '';
	}
	draw();
	if (!select || !first) return;
	page?.querySelector(`[data-key="${CSS.escape(keyOf(first))}"]`)?.scrollIntoView({ block: 'center' });
	page?.querySelector<HTMLElement>('.buttons button')?.focus({ preventScroll: true });
}

addEventListener('message', ({ data }: MessageEvent<ReviewMessage>) => show(data));
page?.addEventListener(
	'click',
	(event) => {
		if (performance.now() >= restsUntil) return;
		event.preventDefault();
		event.stopPropagation();
	},
	{ capture: true },
);
editor.postMessage({ kind: 'ready' });

function serversOf({ files }: ReviewView): readonly ReviewedServer[] {
	return files.flatMap(({ servers }) => servers);
}

function keyOf({ name, hash }: ReviewedServer): string {
	return JSON.stringify([name, hash]);
}

function keysOf(view: ReviewView): string[] {
	return serversOf(view).map(keyOf);
}

/** Servers that the filter hides are not selected. */
function reviewBody(view: ReviewView): Child {
	const files = view.files
		.map((file) => ({ ...file, servers: file.servers.filter((server) => passes(server, file)) }))
		.filter(({ servers }) => servers.length > 0);
	const servers = files.flatMap((file) => file.servers).filter((server) => chosen.has(keyOf(server)));
	const all = serversOf(view);
	return [
		<header>
			<h1>{l10n.t('Review Servers')}</h1>
			<p role="status">{summary(all)}</p>
		</header>,
		<p class="note">
			{all.every(({ isRemote }) => isRemote)
				? l10n.t('Approved servers are contacted at these URLs; nothing runs on this machine.')
				: l10n.t(
						'Approved servers run under your user account, in {0} unless noted.',
						exactText(view.folder),
					)}{' '}
			{hintsNote(view)}
		</p>,
		view.forbidden?.map((words) => <p class="note">{words}</p>),
		<div class="bar">
			{all.length > 1 && (
				<input
					type="search"
					aria-label={l10n.t('Filter servers')}
					placeholder={l10n.t('Filter servers')}
					value={filter}
					onInput={({ target }) => {
						filter = (target as HTMLInputElement).value;
						draw();
					}}
				/>
			)}
			{hintsSwitch(view)}
			<span class="buttons">
				<span class="note" aria-live="polite">
					{l10n.t('{0} selected', servers.length)}
				</span>
				{button(l10n.t('Approve'), { kind: 'approve', servers, trustsHints }, servers.length > 0)}
				{button(l10n.t('Not Now'), { kind: 'postpone', servers }, servers.length > 0, 'secondary')}
				{button(l10n.t('Disable'), { kind: 'disable', servers }, servers.length > 0, 'secondary')}
			</span>
		</div>,
		files.length > 0 ? (
			serverTable(
				// Of every file, what the filter shows. A single file has a checkbox of its own.
				files.length > 1 &&
					checkbox(
						files.flatMap((file) => file.servers).map(keyOf),
						l10n.t('Select All'),
						servers.length,
						'all',
					),
				files.map((file) => [fileRow(file), file.servers.map(serverRow)]),
			)
		) : (
			<p class="empty">{l10n.t('No servers match the filter.')}</p>
		),
	];
}

/** `20 servers need approval: 3 new, 1 changed`; without the kinds if all servers are of the same. */
function summary(servers: readonly ReviewedServer[]): string {
	const kinds = Map.groupBy(servers, ({ mark }) => mark);
	const count = (mark: ReviewedServer['mark']) => (kinds.size > 1 ? (kinds.get(mark)?.length ?? 0) : 0);
	const words =
		servers.length === 1
			? l10n.t('1 server needs approval')
			: l10n.t('{0} servers need approval', servers.length);
	const marks = [
		...(count('new') > 0 ? [l10n.t('{0} new', count('new'))] : []),
		...(count('changed') > 0 ? [l10n.t('{0} changed', count('changed'))] : []),
	];
	return marks.length === 0 ? words : l10n.t('{0}: {1}', words, marks.join(', '));
}

/** Whether the filter shows a server; it searches everything that the page says about it. */
function passes(server: ReviewedServer, { label, path }: ReviewedFile): boolean {
	const lines = [...server.runs, ...server.details].map(({ text }) => text);
	const words = [server.shownName, label, path, markWords(server.mark), ...lines].join('\n').toLowerCase();
	return words.includes(filter.trim().toLowerCase());
}

function hintsNote({ canBelieve }: ReviewView): string {
	return canBelieve
		? l10n.t(
				"Discovery asks you before each call, until you allow the tool. Whether a tool is read-only is the server's own claim.",
			)
		: l10n.t('Discovery asks you before each call, until you allow the tool.');
}

function hintsSwitch({ canBelieve }: ReviewView): Child {
	return (
		canBelieve &&
		toggle(l10n.t('Allow read-only tools without asking'), trustsHints, () => {
			trustsHints = !trustsHints;
		})
	);
}

function toggle(label: string, isChecked: boolean, change: () => void): PageNode {
	const onChange = () => {
		change();
		draw();
	};
	return (
		<label>
			<input type="checkbox" role="switch" checked={isChecked} aria-checked={isChecked} onChange={onChange} />
			{label}
		</label>
	);
}

function button(label: string, request: ReviewRequest, isEnabled = true, look = ''): PageNode {
	return (
		<button type="button" class={look} disabled={!isEnabled} onClick={() => editor.postMessage(request)}>
			{label}
		</button>
	);
}

function serverTable(selectAll: Child, groups: readonly Child[]): PageNode {
	return (
		<table aria-label={l10n.t('Servers')}>
			<thead>
				<tr>
					<td>{selectAll}</td>
					<th scope="col">{l10n.t('Server')}</th>
					<th scope="col">{l10n.t('Command or URL')}</th>
					<td />
				</tr>
			</thead>
			{groups.map((rows) => (
				<tbody>{rows}</tbody>
			))}
		</table>
	);
}

function fileRow({ label, path, isUsers, servers }: ReviewedFile): PageNode {
	const keys = servers.map(keyOf);
	const count = keys.filter((key) => chosen.has(key)).length;
	const id = `file ${label} ${path}`;
	return (
		<tr class="file">
			<td>{checkbox(keys, l10n.t('Select all servers of {0}', label), count, id)}</td>
			<th scope="rowgroup" colspan={3}>
				<label for={id}>{label}</label>{' '}
				<span class="note">{isUsers ? l10n.t('{0} · Approval applies to all workspaces', path) : path}</span>
			</th>
		</tr>
	);
}

function checkbox(keys: readonly string[], label: string | undefined, count: number, id: string): PageNode {
	return (
		<input
			type="checkbox"
			id={id}
			aria-label={label}
			title={label}
			checked={count === keys.length}
			indeterminate={count > 0 && count < keys.length}
			onChange={() => {
				chosen = count === keys.length ? chosen.difference(new Set(keys)) : chosen.union(new Set(keys));
				draw();
			}}
		/>
	);
}

function serverRow(server: ReviewedServer): PageNode {
	const { shownName, mark, runs, details } = server;
	const key = keyOf(server);
	const words = markWords(mark);
	return (
		<tr data-key={key}>
			<td>{checkbox([key], undefined, Number(chosen.has(key)), key)}</td>
			<th scope="row">
				<label for={key}>{shownName}</label>
			</th>
			<td class="runs">
				{runs.map(lineElement)}
				{details.length > 0 && <div class="details">{details.map(lineElement)}</div>}
			</td>
			<td>{words !== '' && <span class="mark">{words}</span>}</td>
		</tr>
	);
}

function lineElement({ change, text }: ReviewLine): PageNode {
	switch (change) {
		case 'same':
			return <span class="line">{breakable(text)}</span>;
		case 'gone':
			return <del class="line">{breakable(`− ${text}`)}</del>;
		case 'added':
			return <ins class="line">{breakable(`+ ${text}`)}</ins>;
	}
}

/** A long text breaks after a sign between its parts rather than within a word. */
function breakable(text: string): Child {
	return text.split(/(?<=[=/\\:,])/).map((part) => [part, <wbr />]);
}

function markWords(mark: ReviewedServer['mark']): string {
	switch (mark) {
		case 'new':
			return l10n.t('New');
		case 'changed':
			return l10n.t('Changed');
		case 'seen':
			return '';
	}
}
