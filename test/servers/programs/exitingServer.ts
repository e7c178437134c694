/** Exits at once, with thirty lines on stderr. */
for (let line = 1; line <= 30; line += 1) console.error(`usage line ${line}`);
process.exit(2);
