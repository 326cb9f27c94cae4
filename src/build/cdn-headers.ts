/**
 * `_headers`: the cache rules of the tree, in the form that CDNs read (contract 3). Any origin may
 * read the files.
 */
export const cdnHeaders = `/data/*
  Cache-Control: public, max-age=31536000, immutable
  Access-Control-Allow-Origin: *

/releases/*
  Cache-Control: public, max-age=31536000, immutable
  Access-Control-Allow-Origin: *

/current.json
  Cache-Control: public, max-age=60

/index.json
  Cache-Control: public, max-age=60
  Access-Control-Allow-Origin: *
`
