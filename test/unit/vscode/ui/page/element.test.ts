import { toChildArray } from 'preact';
import { expect, test } from 'vitest';
import { element } from '../../../../../src/vscode/ui/page/element.ts';

test('an element shows untrusted text as plain text, without hidden characters', () => {
	const node = element('p', { title: 'a\u200bb', 'data-key': 'k\u200b' }, 'x\u202ey', ['<b>\u{e0069}']);
	expect(node.props).toMatchObject({ title: 'ab', 'data-key': 'k\u200b' });
	expect(toChildArray(node.props.children).join('|')).toBe('xy|<b>');
});

test('an element keeps its key, and leaves out undefined children and attributes', () => {
	const node = element('p', { 'data-key': 'k', class: undefined }, false, undefined, element('br'));
	expect(node.key).toBe('k');
	expect(node.props).not.toHaveProperty('class');
	expect(toChildArray(node.props.children)).toHaveLength(1);
});
