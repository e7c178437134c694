import { weakMemo } from '../../common/memo.ts';
import { textsIn } from './hiddenText.ts';
import type { Tool } from './tool.ts';

/**
 * What a definition says to a model that has nothing to do with what the tool does: to keep something from the user, to forget its
 * instructions, to come before all other tools, or where keys are. After the attacks of
 * https://invariantlabs.ai/blog/mcp-security-notification-tool-poisoning-attacks, whose words others repeat. It marks 4 of the 1,786 tools of
 * 61 published servers. Whoever words it otherwise goes unseen.
 */
const misleading = new RegExp(
	[
		"\\b(?:do not|don['’]t|never|without|must not|should not) (?:\\w+ ){0,2}?(?:tell|mention|inform|notify|reveal|disclose|show|let|alert)(?:ing)? (?:\\w+ ){0,4}?users?\\b",
		'\\b(?:ignore|disregard|forget|override|bypass) (?:\\w+ ){0,3}?(?:previous|prior|above|earlier|all|other|system|your) (?:\\w+ ){0,2}?(?:instruction|prompt|rule|guideline)s?\\b',
		'\\b(?:before|prior to) (?:us|call|invok|runn|execut)ing (?:any|all|every|each)(?: other)? (?:tool|function)',
		'\\binstead of (?:(?:us|call)ing )?(?:any|all|every|the) other (?:\\w+ )?(?:tool|function|server)',
		'\\b(?:always|must) (?:\\w+ ){0,2}?(?:call|use|run|invoke) this (?:tool|function) (?:first|before)\\b',
		'< ?(?:important|system|instructions?|hidden|critical) ?>',
		'\\.(?:ssh|aws|gnupg|cursor|kube)/|\\bid_(?:rsa|ed25519)\\b|/etc/(?:passwd|shadow)\\b',
		'\\b(?:entire|full|complete|whole) (?:conversation|prompt|chat)|\\bsystem prompt\\b',
	].join('|'),
	'i',
);

/** The misleading words in a tool's texts; usually empty. */
export const misleadingText = weakMemo(({ name, title, description, inputSchema }: Tool): string => {
	const text = textsIn([name, title, description, inputSchema]).join('\n').replace(/\s+/g, ' ');
	return misleading.exec(text)?.[0] ?? '';
});
