/** Addresses that a webview may load, as it knows them, and the language that it is written in. */
interface PageSources {
	readonly title: string;
	readonly script: string;
	readonly style: string;
	/** Where styles may come from, in the words of a content security policy. */
	readonly cspSource: string;
	/** Unguessable; only a script that bears it runs. */
	readonly nonce: string;
	/** As BCP 47 has it: `de`. */
	readonly language: string;
	/** The texts in that language by the English ones; absent: English. */
	readonly texts?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The empty page: all that is in it comes from its script. Nothing inline that could run, nothing from elsewhere; the texts stand in an
 * attribute, which is there before the script is, and runs under no policy.
 */
export function pageHtml({ title, script, style, cspSource, nonce, language, texts }: PageSources): string {
	const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
	const translated = texts ? ` data-texts="${attribute(JSON.stringify(texts))}"` : '';
	return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(title)}</title>
<link rel="stylesheet" href="${style}">
</head>
<body${translated}>
<main id="page"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}

/** What a text looks like in an attribute, or in an element. */
function attribute(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
