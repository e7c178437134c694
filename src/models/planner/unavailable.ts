import { stem } from '../../discovery/search/words/analyzer.ts';
import { tokenize } from '../../discovery/search/words/tokenizer.ts';
import { isGrammar } from './words.ts';

/** A server of the configuration whose tools cannot be called now. */
export interface UnavailableServer {
	readonly name: string;
	readonly state: 'unapproved' | 'stopped' | 'starting' | 'failed';
	/** Why it failed, in a sentence. */
	readonly reason?: string;
	/** What is known of what it does while its tools are not: the user's search hint, the package that it runs. */
	readonly about: string;
}

/** Letters from which on the beginning of a word tells it: "file" of `filesystem`. */
const telling = 4;

/** The server that a request is for, as its name and what is known of it say; `undefined`: none of these. */
export function serverFor(
	words: string,
	servers: readonly UnavailableServer[],
): UnavailableServer | undefined {
	const asked = tokenize(words)
		.filter((word) => !isGrammar(word))
		.map(stem);
	const speaks = ({ name, about }: UnavailableServer) => {
		const known = [...tokenize(name), ...tokenize(about).filter((word) => !isGrammar(word))].map(stem);
		return asked.filter((word) =>
			known.some((own) => own === word || (word.length >= telling && own.startsWith(word))),
		).length;
	};
	const [best] = servers
		.map((server) => ({ server, points: speaks(server) }))
		.sort((a, b) => b.points - a.points);
	return best && best.points > 0 ? best.server : undefined;
}
