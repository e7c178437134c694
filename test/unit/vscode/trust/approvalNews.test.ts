import { describe, expect, test } from 'vitest';
import { ApprovalNews } from '../../../../src/vscode/trust/approvalNews.ts';

function server(name: string, command: string) {
	return { name, facts: [{ about: 'runs', text: command } as const] };
}

const names = (servers: readonly { readonly name: string }[]) => servers.map(({ name }) => name);

describe('of a server that waits for approval', () => {
	test('the user is told once, and again when its command changes', () => {
		const news = new ApprovalNews();
		expect(names(news.take([server('a', 'one')]))).toEqual(['a']);
		expect(news.take([server('a', 'one')])).toEqual([]);
		expect(names(news.take([server('a', 'two'), server('b', 'one')]))).toEqual(['a', 'b']);
	});

	test('the user is told again where it was as approved in between', () => {
		const news = new ApprovalNews();
		news.take([server('a', 'changed')]);
		news.take([]);
		expect(names(news.take([server('a', 'changed')]))).toEqual(['a']);
	});

	test('the user is not told while somebody else does, and is of what changes after that', () => {
		const news = new ApprovalNews();
		const importing = news.expect(['imported', 'never written']);
		expect(names(news.take([server('imported', 'one'), server('other', 'one')]))).toEqual(['other']);
		importing.dispose();
		expect(news.take([server('imported', 'one'), server('other', 'one')])).toEqual([]);
		expect(
			names(news.take([server('imported', 'two'), server('never written', 'one'), server('other', 'one')])),
		).toEqual(['imported', 'never written']);
	});
});
