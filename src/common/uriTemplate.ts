/** URI templates (RFC 6570, https://www.rfc-editor.org/rfc/rfc6570): the expressions that servers use, with texts as values. Missing values are left out. */

const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

/** How the values of an expression are joined, by its operator. */
const joins: Readonly<
	Record<string, { readonly first: string; readonly between: string; readonly isNamed?: true }>
> = {
	'': { first: '', between: ',' },
	'+': { first: '', between: ',' },
	'#': { first: '#', between: ',' },
	'.': { first: '.', between: '.' },
	'/': { first: '/', between: '/' },
	';': { first: ';', between: ';', isNamed: true },
	'?': { first: '?', between: '&', isNamed: true },
	'&': { first: '&', between: '&', isNamed: true },
};

export interface TemplateVariable {
	readonly name: string;
	/** Without it the address would have a gap. Expressions with an operator, such as a query, can be left out as a whole. */
	readonly required: boolean;
}

/** The distinct variables of a template. */
export function templateVariables(template: string): readonly TemplateVariable[] {
	const variables = new Map<string, boolean>();
	for (const [, sign = '', names = ''] of template.matchAll(expression)) {
		const required = sign === '' || sign === '+';
		for (const name of namesIn(names)) variables.set(name, required || variables.get(name) === true);
	}
	return [...variables].map(([name, required]) => ({ name, required }));
}

export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
	return template.replace(expression, (_all, sign: string, names: string) => {
		const { first, between, isNamed: named } = joins[sign] ?? { first: '', between: ',' };
		const isOpen = sign === '+' || sign === '#';
		const parts = namesIn(names).flatMap((name) => {
			const value = Object.hasOwn(values, name) ? values[name] : undefined;
			if (value === undefined || value === '') return [];
			const text = isOpen ? encodeURI(value) : encoded(value);
			return [named ? `${name}=${text}` : text];
		});
		return parts.length > 0 ? `${first}${parts.join(between)}` : '';
	});
}

/** Whether an address matches a template: the texts between its expressions must occur in order. */
export function matchesTemplate(uriTemplate: string, uri: string): boolean {
	const [begin = '', ...parts] = uriTemplate.split('{');
	if (!uri.startsWith(begin)) return false;
	let at = begin.length;
	for (const [index, part] of parts.entries()) {
		const end = part.indexOf('}');
		if (end === -1) return false;
		const literal = part.slice(end + 1);
		const isLast = index === parts.length - 1;
		const next = isLast ? uri.length - literal.length : literal === '' ? at : uri.indexOf(literal, at);
		if (next < at || !uri.startsWith(literal, next)) return false;
		// A simple expression stands for one segment of a path; one with an operator, or with "*" for all of its values, may stand for more.
		const isPlain = /^\w[^*}]*\}/.test(part);
		if (isPlain && (literal !== '' || isLast) && /[/?#]/.test(uri.slice(at, next))) return false;
		at = next + literal.length;
	}
	return parts.length > 0 || uri === begin;
}

/** Without the modifiers that cut or repeat a value. */
function namesIn(names: string): string[] {
	return names.split(',').map((name) => name.trim().replace(/(\*|:\d+)$/, ''));
}

function encoded(value: string): string {
	return encodeURIComponent(value).replace(
		/[!'()*]/g,
		(sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}
