/** Keys of an address in a server's entry: `url`, Windsurf's `serverUrl`, Gemini's `httpUrl`, Goose's `uri`, Cherry Studio's `baseUrl`. */
export const addressKey = /^(server|mcp|sse|http|remote|base)?_?(url|uri|address|endpoint|href)$/i;
