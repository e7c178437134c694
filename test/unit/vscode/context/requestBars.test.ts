import { describe, expect, test } from 'vitest';
import { mostRequests, requestBars, requestGist } from '../../../../src/vscode/context/page/requestBars.ts';
import { happened, load, request, turn } from './timeline.ts';

describe('the bars of requests', () => {
	test('say what was sent and what was spared, and before which something was loaded', () => {
		const timeline = happened(turn('read'), request(1000), load('files:read', 'files:list'), request(1500));
		expect(requestBars(timeline, 2)).toEqual({
			bars: [
				{ number: 1, sent: 1000, spared: 9000, loaded: [] },
				{ number: 2, sent: 1500, spared: 8500, loaded: ['files:read', 'files:list'] },
			],
			earlier: 0,
			toScale: true,
		});
	});

	test('spare nothing where few small tools cost less than the search for them', () => {
		expect(requestBars(happened(request(12_000)), 1).bars[0]).toMatchObject({ sent: 12_000, spared: 0 });
	});

	test('are those of the last requests, numbered as in the chat', () => {
		const timeline = happened(...Array.from({ length: mostRequests + 5 }, () => request(1000)));
		const { bars, earlier } = requestBars(timeline, mostRequests + 105);
		expect(bars).toHaveLength(mostRequests);
		expect(earlier).toBe(105);
		expect([bars[0]?.number, bars.at(-1)?.number]).toEqual([106, mostRequests + 105]);
	});

	test('leave out what was spared where the rest would not be seen beside it', () => {
		expect(requestBars(happened(request(401), request(20)), 2).toScale).toBe(true);
		expect(requestBars(happened(request(399)), 1).toScale).toBe(false);
	});

	test('are said in a sentence', () => {
		const timeline = happened(request(1000), load('files:read'), request(1500));
		expect(requestGist(requestBars(timeline, 2))).toBe(
			'Tokens of tool definitions in 2 requests. The last sent 1.5k; every tool would have been 10k. Tools were loaded before 1 of them.',
		);
		expect(requestGist(requestBars([], 0))).toBe('No request has been sent yet.');
	});
});
