import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mode, Modes } from '../exchange.ts';
import { type Json, text } from '../messages.ts';
import { dense, repeated } from './calling.ts';

const megabyte = 1024 * 1024;

/** More of everything than a client can read. */
export const floodingModes: Modes = {
	/**
	 * Answers the call, and from then on sends bursts of a message with a pause in between. In the message, `"%"` stands for its number and
	 * `"$"` for so many bytes. With `reads nothing`, it no longer reads its stdin.
	 */
	floods: ([burst, everyMs, message = '', bytes = '0', how = '']): Mode => ({
		fault: (_params, { wire }) => {
			if (how === 'reads nothing' && wire.kind === 'stdio') process.stdin.pause();
			const [head = '', tail] = message.replace('"$"', `"${'x'.repeat(Number(bytes))}"`).split('"%"');
			const whole: Json | undefined = tail === undefined ? JSON.parse(head) : undefined;
			const run = async () => {
				for (let n = 1_000_000; ; await delay(Number(everyMs)))
					for (let i = 0; i < Number(burst); i += 1, n += 1)
						await wire.send(whole ?? JSON.parse(`${head}${n}${tail}`));
			};
			void run();
			return text('flood begins');
		},
	}),
	/** Writes so many megabytes of this text (as Latin-1) after `head`, and so many such lines, to stdout or stderr. */
	writes: ([stream, megabytes, piece = '', head = '', lines = '1']): Mode => ({
		fault: async () => {
			const to = stream === 'stderr' ? process.stderr : process.stdout;
			const filled = Buffer.alloc(megabyte, Buffer.from(piece, 'latin1'));
			for (let line = 0; line < Number(lines); line += 1)
				for (const some of [head, ...repeated(Number(megabytes), filled), '\n'])
					if (!to.write(some)) await once(to, 'drain');
			return text('said');
		},
	}),
	/** Notifications of 15 MB of JSON that takes long to parse, one after the other. */
	'dense-notifications': ([kind = '', count]): Mode => ({
		fault: async (_params, { sendPieces }) => {
			for (let i = 0; i < Number(count); i += 1)
				await sendPieces([
					'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":',
					...dense(kind),
					'}}',
				]);
			return text('said');
		},
	}),
};
