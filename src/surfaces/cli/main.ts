/** The command line: results go to stdout, progress to stderr, failures to an exit code. */
// whoever reads may have enough: `--help | head` is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
// mapping is run many times over, by engines: it loads no more than it needs
const argv = process.argv.slice(2)
const { main } = argv[0] === 'mine-map' ? await import('./mine-map.ts') : await import('./program.ts')
process.exitCode = await main(argv)
